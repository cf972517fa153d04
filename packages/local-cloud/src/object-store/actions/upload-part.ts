import type { Segment } from '../blob-files.ts';
import { openBody } from '../receive-body.ts';
import { readInteger, type S3Request } from '../request.ts';
import { sendEmpty } from '../respond.ts';
import { S3Error } from '../s3-error.ts';
import { commit, type Store } from '../store.ts';
import { findUpload } from '../uploads.ts';

const maxPartNumber = 10_000;

/** UploadPart. A part with the number of an earlier one replaces it. */
export const uploadPart = async (store: Store, request: S3Request): Promise<void> => {
  const { headers, response, query } = request;
  if (headers['x-amz-copy-source'] !== undefined) throw new S3Error('NotImplemented');
  const number = readInteger(query, 'partNumber', 0, 1, maxPartNumber);
  const { sql } = store.database;
  const uploadId = findUpload(sql, request).id;
  const body = openBody(request);
  request.acceptBody();
  const blob = await store.blobs.write(body.chunks);
  const { md5, ...checksum } = body.received();
  const modifiedMs = store.clock.now().getTime();
  commit(store, [blob], () => {
    // The upload may have ended while the body was received.
    findUpload(sql, request);
    const earlier = sql.all`SELECT blob FROM parts WHERE uploadId = ${uploadId} AND number = ${number}` as Segment[];
    store.database.insert('parts', { uploadId, number, blob, size: body.size, eTag: md5, modifiedMs, ...checksum });
    return earlier.map((part) => part.blob);
  });
  const { checksumHeader } = checksum;
  sendEmpty(response, 200, { etag: `"${md5}"`, ...(checksumHeader && { [checksumHeader]: checksum.checksum ?? '' }) });
};

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { checksumElement, readChecksumPlan } from '../checksums.ts';
import { commitObject, findObject } from '../objects.ts';
import { assertWritable } from '../preconditions.ts';
import { readText } from '../receive-body.ts';
import type { S3Request } from '../request.ts';
import { sendXml } from '../respond.ts';
import { S3Error } from '../s3-error.ts';
import type { Store } from '../store.ts';
import { deleteUploadRows, findParts, findUpload, type StoredPart } from '../uploads.ts';
import { readXml } from '../xml.ts';

const smallestPartBytes = 5 * 1024 ** 2;

const Item = z.looseObject({ PartNumber: z.coerce.number().int(), ETag: z.string() });
const Document = z.object({ CompleteMultipartUpload: z.object({ Part: z.union([z.array(Item), Item]) }) });

/**
 * CompleteMultipartUpload. The object refers to the files of its parts in order, so no byte is copied. Repeating it after
 * success succeeds again, because the response may have been lost.
 */
export const completeUpload = async (store: Store, request: S3Request): Promise<void> => {
  const { sql } = store.database;
  const { bucket, key, query, headers } = request;
  // The header is the checksum of the whole object, which the checksums of the parts do not yield.
  if (readChecksumPlan(headers) !== undefined) throw new S3Error('NotImplemented');
  const wanted = [readXml(await readText(request), Document).CompleteMultipartUpload.Part].flat();
  const current = findObject(sql, bucket.name, key);
  if (current !== undefined && current.id === query.get('uploadId')) {
    respond(request, current.eTag);
    return;
  }
  const upload = findUpload(sql, request);
  assertWritable(headers, current);
  const parts = selectParts(findParts(sql, upload.id), wanted);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  if (Number(headers['x-amz-mp-object-size'] ?? size) !== size) throw new S3Error('InvalidRequest');
  const digests = createHash('md5');
  for (const { eTag } of parts) digests.update(eTag, 'hex');
  const eTag = `${digests.digest('hex')}-${parts.length}`;
  const draft = { id: upload.id, eTag, headers: upload.headers, segments: parts, checksumHeader: null, checksum: null };
  commitObject(store, request, draft, 'ObjectCreated:CompleteMultipartUpload', () =>
    deleteUploadRows(store, upload.id),
  );
  respond(request, eTag);
};

const respond = ({ bucket, key, message, response }: S3Request, eTag: string): void => {
  const location = `http://${message.headers.host ?? ''}/${bucket.name}/${key}`;
  sendXml(response, 'CompleteMultipartUploadResult', {
    Location: location,
    Bucket: bucket.name,
    Key: key,
    ETag: `"${eTag}"`,
  });
};

const selectParts = (
  stored: readonly StoredPart[],
  wanted: readonly z.output<typeof Item>[],
): readonly StoredPart[] => {
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  if (wanted.some(({ PartNumber }, index) => PartNumber <= (wanted[index - 1]?.PartNumber ?? 0))) {
    throw new S3Error('InvalidPartOrder');
  }
  return wanted.map((item, index) => {
    const part = byNumber.get(item.PartNumber);
    const checksum = part?.checksumHeader ? item[checksumElement(part.checksumHeader)] : undefined;
    if (part?.eTag !== item.ETag.replaceAll('"', '') || (checksum !== undefined && checksum !== part.checksum)) {
      throw new S3Error('InvalidPart', { fields: { PartNumber: item.PartNumber } });
    }
    if (index < wanted.length - 1 && part.size < smallestPartBytes) throw new S3Error('EntityTooSmall');
    return part;
  });
};

import { randomUUID } from 'node:crypto';
import { storedHeaders } from '../stored-headers.ts';
import { commitObject, findObject } from '../objects.ts';
import { assertWritable } from '../preconditions.ts';
import { openBody } from '../receive-body.ts';
import { arnOf, type S3Request } from '../request.ts';
import { sendEmpty } from '../respond.ts';
import type { Store } from '../store.ts';
import { readTags } from '../tags.ts';

/** PutObject. Checks all headers before it reads the body. */
export const putObject = async (store: Store, request: S3Request): Promise<void> => {
  const { 'x-amz-tagging': tagging, ...untagged } = request.headers;
  const headers = storedHeaders({ headers: untagged });
  const tags = readTags(tagging);
  if (tags.length > 0) request.authorize('s3:PutObjectTagging', arnOf(request.bucket.name, request.key));
  assertWritable(request.headers, findObject(store.database.sql, request.bucket.name, request.key));
  const body = openBody(request);
  request.acceptBody();
  const blob = await store.blobs.write(body.chunks);
  const { md5, ...checksum } = body.received();
  const segments = [{ blob, size: body.size }];
  const draft = { id: randomUUID(), eTag: md5, headers, segments, tags, ...checksum };
  commitObject(store, request, draft, 'ObjectCreated:Put');
  sendEmpty(request.response, 200, {
    etag: `"${md5}"`,
    ...(checksum.checksumHeader && {
      [checksum.checksumHeader]: checksum.checksum ?? '',
      'x-amz-checksum-type': 'FULL_OBJECT',
    }),
  });
};

import { randomUUID } from 'node:crypto';
import { keepHeaders } from '../kept-headers.ts';
import { commitObject, findObject } from '../objects.ts';
import { assertWritable } from '../preconditions.ts';
import { openBody } from '../receive-body.ts';
import type { S3Request } from '../request.ts';
import { sendEmpty } from '../respond.ts';
import type { Store } from '../store.ts';

/** PutObject. Everything that the headers alone can refuse is refused before a byte of the body is read. */
export const putObject = async (store: Store, request: S3Request): Promise<void> => {
  const headers = keepHeaders(request);
  assertWritable(request.headers, findObject(store.database.sql, request.bucket.name, request.key));
  const body = openBody(request);
  request.acceptBody();
  const blob = await store.blobs.write(body.chunks);
  const { md5, ...checksum } = body.received();
  const segments = [{ blob, size: body.size }];
  commitObject(store, request, { id: randomUUID(), eTag: md5, headers, segments, ...checksum }, 'ObjectCreated:Put');
  sendEmpty(request.response, 200, {
    etag: `"${md5}"`,
    ...(checksum.checksumHeader && {
      [checksum.checksumHeader]: checksum.checksum ?? '',
      'x-amz-checksum-type': 'FULL_OBJECT',
    }),
  });
};

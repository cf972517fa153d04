import { randomUUID } from 'node:crypto';
import { storedHeaders } from '../stored-headers.ts';
import type { S3Request } from '../request.ts';
import { sendXml } from '../respond.ts';
import type { Store } from '../store.ts';

/** CreateMultipartUpload. */
export const createUpload = (store: Store, request: S3Request): void => {
  const { bucket, key, response } = request;
  const id = randomUUID();
  const startedMs = store.clock.now().getTime();
  store.database.insert('uploads', { id, bucket: bucket.name, key, startedMs, headers: storedHeaders(request) });
  sendXml(response, 'InitiateMultipartUploadResult', { Bucket: bucket.name, Key: key, UploadId: id });
};

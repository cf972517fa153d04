import type { S3Request } from '../request.ts';
import { sendEmpty } from '../respond.ts';
import type { Store } from '../store.ts';
import { findUpload, removeUpload } from '../uploads.ts';

/** AbortMultipartUpload. */
export const abortUpload = (store: Store, request: S3Request): void => {
  removeUpload(store, findUpload(store.database.sql, request).id);
  sendEmpty(request.response, 204);
};

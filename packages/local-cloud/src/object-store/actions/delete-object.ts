import { removeObject } from '../objects.ts';
import type { S3Request } from '../request.ts';
import { sendEmpty } from '../respond.ts';
import type { Store } from '../store.ts';

/** DeleteObject. Deleting a missing object succeeds as well. */
export const deleteObject = (store: Store, request: S3Request): void => {
  removeObject(store, request.bucket.name, request.key, request.headers);
  sendEmpty(request.response, 204);
};

import { findObject } from '../objects.ts';
import type { S3Request } from '../request.ts';
import { sendEmpty } from '../respond.ts';
import { S3Error } from '../s3-error.ts';
import type { Store } from '../store.ts';

/** DeleteObjectTagging. Throws `NoSuchKey`. */
export const deleteTagging = ({ database }: Store, { bucket, key, response }: S3Request): void => {
  const object = findObject(database.sql, bucket.name, key);
  if (object === undefined) throw new S3Error('NoSuchKey');
  database.remove('tags', { objectId: object.id });
  sendEmpty(response, 204);
};

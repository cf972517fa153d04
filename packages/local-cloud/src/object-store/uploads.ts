import type { Segment } from './blob-files.ts';
import type { Sql } from './database.ts';
import type { StoredChecksum } from './stored-object.ts';
import type { S3Request } from './request.ts';
import { S3Error } from './s3-error.ts';
import { commit, type Store } from './store.ts';

/** A row of `uploads`: a multipart upload that is neither completed nor aborted. */
export interface StoredUpload {
  readonly id: string;
  readonly bucket: string;
  readonly key: string;
  readonly startedMs: number;
  /** JSON, as the object's will be. */
  readonly headers: string;
}

/** A row of `parts`. */
export interface StoredPart extends StoredChecksum, Segment {
  readonly uploadId: string;
  readonly number: number;
  readonly eTag: string;
  readonly modifiedMs: number;
}

/** Returns the upload of a request. Throws `NoSuchUpload`, also if it belongs to another key. */
export const findUpload = (sql: Sql, { bucket, key, query }: S3Request): StoredUpload => {
  const id = query.get('uploadId');
  const upload = sql.get`
    SELECT * FROM uploads WHERE id = ${id} AND bucket = ${bucket.name} AND key = ${key}` as StoredUpload | undefined;
  if (upload === undefined) throw new S3Error('NoSuchUpload');
  return upload;
};

/** All parts that have arrived, by number. */
export const findParts = (sql: Sql, uploadId: string): readonly StoredPart[] =>
  sql.all`SELECT * FROM parts WHERE uploadId = ${uploadId} ORDER BY number` as StoredPart[];

/** Deletes an upload's rows, within a `commit`, and returns the blobs of its parts. */
export const deleteUploadRows = ({ database }: Store, id: string): readonly string[] => {
  const blobs = findParts(database.sql, id).map(({ blob }) => blob);
  database.remove('parts', { uploadId: id });
  database.remove('uploads', { id });
  return blobs;
};

/** Removes an upload with all parts that have arrived. */
export const removeUpload = (store: Store, id: string): void => {
  commit(store, [], () => deleteUploadRows(store, id));
};

import type { Segment } from './blob-files.ts';
import type { Sql } from './database.ts';
import type { ObjectCreatedName } from './contracts.ts';
import { assertWritable } from './preconditions.ts';
import type { S3Request } from './request.ts';
import type { StoredObject, ObjectDraft } from './stored-object.ts';
import { commit, type Store } from './store.ts';

export const findObject = (sql: Sql, bucket: string, key: string): StoredObject | undefined =>
  sql.get`SELECT * FROM objects WHERE bucket = ${bucket} AND key = ${key}` as StoredObject | undefined;

export const findSegments = (sql: Sql, objectId: string): readonly Segment[] =>
  sql.all`SELECT blob, size FROM segments WHERE objectId = ${objectId} ORDER BY position` as Segment[];

/** Deletes an object's rows, within a `commit`, and returns the blobs that they referred to. */
const deleteRows = ({ database }: Store, object: StoredObject | undefined): readonly string[] => {
  if (object === undefined) return [];
  const blobs = findSegments(database.sql, object.id).map(({ blob }) => blob);
  database.remove('objects', { bucket: object.bucket, key: object.key });
  database.remove('segments', { objectId: object.id });
  database.remove('tags', { objectId: object.id });
  return blobs;
};

/** Removes an object if it is there and `headers` allow it. Throws `PreconditionFailed`, `NoSuchKey`. */
export const removeObject = (store: Store, bucket: string, key: string, headers: S3Request['headers'] = {}): void => {
  commit(store, [], () => {
    const current = findObject(store.database.sql, bucket, key);
    assertWritable(headers, current);
    return deleteRows(store, current);
  });
};

/**
 * Stores the draft as the object of the request's key, in one transaction with its event, if the request's preconditions
 * hold at that time. `alongside` runs in the same transaction and returns further blobs that are no longer used. If it
 * throws, blobs that only the draft refers to are removed.
 */
export const commitObject = (
  store: Store,
  request: S3Request,
  draft: ObjectDraft,
  eventName: ObjectCreatedName,
  alongside: () => readonly string[] = () => [],
): StoredObject => {
  const { id: requestId, key, principalId, sourceIpAddress } = request;
  const { name: bucket, region } = request.bucket;
  const { segments, tags = [], ...rest } = draft;
  const modified = store.clock.now();
  const size = segments.reduce((sum, segment) => sum + segment.size, 0);
  const object: StoredObject = { bucket, key, size, modifiedMs: modified.getTime(), ...rest };
  const event = { eventName, eventTime: modified.toISOString(), bucket, region, key, size, eTag: draft.eTag };
  const blobs = segments.map(({ blob }) => blob);
  commit(store, blobs, () => {
    const current = findObject(store.database.sql, bucket, key);
    assertWritable(request.headers, current);
    const replaced = deleteRows(store, current);
    store.database.insert('objects', { ...object });
    for (const [position, { blob, size }] of segments.entries()) {
      store.database.insert('segments', { objectId: object.id, position, blob, size });
    }
    for (const tag of tags) store.database.insert('tags', { objectId: object.id, ...tag });
    store.outbox.add({ ...event, requestId, principalId, sourceIpAddress });
    return [...replaced, ...alongside()];
  });
  store.outbox.wake();
  return object;
};

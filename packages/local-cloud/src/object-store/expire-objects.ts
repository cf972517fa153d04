import { dayMs } from '../../../../shared/kernel/durations.ts';
import { removeObject } from './objects.ts';
import type { StoredObject } from './stored-object.ts';
import type { Store } from './store.ts';
import { findTags } from './tags.ts';
import { prefixEnd } from './prefix-end.ts';
import { removeUpload, type StoredUpload } from './uploads.ts';

/** Removes the objects and unfinished uploads that have expired by the lifecycle rules of their buckets. */
export const expireObjects = (store: Store): void => {
  const { sql } = store.database;
  const nowMs = store.clock.now().getTime();
  for (const { name, lifecycleRules = [] } of store.buckets.values()) {
    for (const rule of lifecycleRules) {
      const { prefix = '', tags = [], expirationDays = Infinity, abortIncompleteUploadDays = Infinity } = rule;
      const end = prefixEnd(prefix);
      const objects = sql.all`
        SELECT * FROM objects WHERE bucket = ${name} AND key >= ${prefix} AND key < ${end}
          AND modifiedMs <= ${nowMs - expirationDays * dayMs}` as StoredObject[];
      for (const { key, id } of objects) {
        const held = findTags(sql, id);
        const isMeant = tags.every((tag) => held.some(({ name, value }) => name === tag.name && value === tag.value));
        if (isMeant) removeObject(store, name, key);
      }
      const uploads = sql.all`
        SELECT * FROM uploads WHERE bucket = ${name} AND key >= ${prefix} AND key < ${end}
          AND startedMs <= ${nowMs - abortIncompleteUploadDays * dayMs}` as StoredUpload[];
      for (const { id } of uploads) removeUpload(store, id);
    }
  }
};

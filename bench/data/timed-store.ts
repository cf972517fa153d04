import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../shared/kernel/clock.ts';
import { directoryStore, type ObjectStore } from '#engine';

/** Objects of a directory as if they were written by a clock. */
export const timedStore = (uri: string, clock: Clock): ObjectStore => {
  const plain = directoryStore(uri);
  const times = new Map<string, Date>();
  return {
    ...plain,
    create: async (key, body) => {
      const isCreated = await plain.create(key, body);
      if (isCreated) times.set(key, clock.now());
      return isCreated;
    },
    list: async (prefix) =>
      (await plain.list(prefix)).map(({ key, writtenAt }) => ({ key, writtenAt: times.get(key) ?? writtenAt })),
  };
};

/** Returns the bytes of the objects of an index. */
export const bytesOf = async (uri: string, store: ObjectStore, table: string): Promise<number> => {
  const objects = await store.list(`${table}/`);
  const sizes = await Promise.all(objects.map(({ key }) => stat(join(uri, key))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
};

import type { Connection, Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import { memoize } from '../../../../shared/kernel/memoize.ts';

/** Tables of one database that are open at a fixed version. The least recently used are closed after their last reader. */
export interface OpenTables {
  /** Opens a table at a version. Throws if one of them does not exist. */
  readonly at: (name: string, version: number) => Promise<Table>;
  /** Releases all versions of a table. */
  readonly forget: (name: string) => void;
}

/** @param capacity Versions that are kept open. */
export const openTables = (connection: () => Promise<Connection>, capacity: number): OpenTables => {
  const versions = new LRUCache<string, Promise<Table>>({ max: capacity });
  return {
    at: (name, version) =>
      memoize(versions, `${name}@${version}`, async () => (await connection()).openTable(name, undefined, { version })),
    forget: (name) => {
      for (const key of versions.keys()) if (key.startsWith(`${name}@`)) versions.delete(key);
    },
  };
};

import { LRUCache } from 'lru-cache';
import type { FoundRow } from '../port.ts';

/** Recently found rows of one table by row address, all with the same columns. */
export interface CachedRows {
  readonly get: (rowId: bigint) => FoundRow | undefined;
  readonly set: (rowId: bigint, row: FoundRow) => void;
}

/**
 * Cache of rows that searches returned recently, so that repeated hits are not read from the store each time. The
 * content at a row address never changes: an update writes the row to another address.
 */
export interface RowCache {
  /** @param table Name of the table, with its database. */
  readonly of: (table: string, columns: readonly string[]) => CachedRows;
}

/** Approximate bytes of a row. */
const bytesOf = ({ text, metadata }: FoundRow, key: string): number =>
  500 + 2 * (key.length + (text?.length ?? 0) + JSON.stringify(metadata).length);

/**
 * Creates a row cache.
 * @param maxBytes Memory for the rows of all tables together. The least recently found rows are evicted. Deleted rows
 *   are no longer found by searches and are evicted in the same way.
 */
export const rowCache = (maxBytes: number): RowCache => {
  const rows = new LRUCache<string, FoundRow>({ maxSize: maxBytes, sizeCalculation: bytesOf });
  return {
    of: (table, columns) => {
      const prefix = `${table} ${columns.join()}`;
      return {
        get: (rowId) => rows.get(`${prefix} ${rowId}`),
        set: (rowId, row) => rows.set(`${prefix} ${rowId}`, row),
      };
    },
  };
};

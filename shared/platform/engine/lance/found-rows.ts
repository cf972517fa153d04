import { LRUCache } from 'lru-cache';
import type { FoundRow } from '../port.ts';

/** Rows of one table that searches have given lately, by their place; with the same columns each. */
export interface KnownRows {
  readonly get: (rowId: bigint) => FoundRow | undefined;
  readonly set: (rowId: bigint, row: FoundRow) => void;
}

/**
 * Rows that searches have given lately, so that those which are found again and again are not read from the store each time.
 * What stands at a place of a table never changes: a row that is written anew gets another place.
 */
export interface FoundRows {
  /** @param table Its name, with the database that it is of. */
  readonly of: (table: string, columns: readonly string[]) => KnownRows;
}

/** What a row takes, about. */
const bytesOf = ({ text, metadata }: FoundRow, key: string): number =>
  500 + 2 * (key.length + (text?.length ?? 0) + JSON.stringify(metadata).length);

/**
 * @param maxBytes Memory for the rows of all tables together; those that were found longest ago make way. A row that has been
 * deleted is found by no search, and goes as they do.
 */
export const foundRows = (maxBytes: number): FoundRows => {
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

import type { Table } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import { columnOf, mapRows } from '../decode-rows.ts';
import type { Place } from './row-places.ts';

/** Rows of a table at one version, including tombstones, and its fragments. */
export interface Size {
  readonly rows: number;
  readonly fragments: number;
}

/** Size and end of a table at one version. */
export interface Extent extends Size {
  /** Address from which new rows are added. */
  readonly end: bigint;
  /** Number of rows that the last commit replaced, if known. The next commit is mostly similar. */
  readonly replaced: number;
}

/** Every commit replaces the row that stores the journal. */
export const minReplaced = 1;

/**
 * Lance addresses rows by fragment and position. Every write and every compaction makes fragments with higher numbers.
 */
const fragmentBits = 32n;

const fragmentAfter = (rowId: bigint): bigint => ((rowId >> fragmentBits) + 1n) << fragmentBits;

/** Returns the address after these rows and after the previous end. */
export const afterAll = (places: readonly Pick<Place, 'rowId'>[], end: bigint): bigint =>
  places.reduce((latest, { rowId }) => (rowId < latest ? latest : fragmentAfter(rowId)), end);

/** Returns the number of rows and fragments of a table. */
export const sizeOf = async (table: Table): Promise<Size> => {
  const { numRows, fragmentStats } = await table.stats();
  return { rows: numRows, fragments: fragmentStats.numFragments };
};

/** Returns the extent of a table whose rows were read. */
export const extentOf = async (table: Table, places: readonly Place[]): Promise<Extent> => ({
  ...(await sizeOf(table)),
  end: afterAll(places, 0n),
  replaced: minReplaced,
});

/** Returns the extent of a table by its last row. */
export const readExtent = async (table: Table): Promise<Extent> => {
  const size = await sizeOf(table);
  const last: ArrowTable = await table
    .query()
    .offset(Math.max(0, size.rows - 1))
    .limit(1)
    .select(['id'])
    .withRowId()
    .toArrow();
  const rowId = columnOf<bigint>(last, '_rowid');
  const places = mapRows(last, (at) => ({ rowId: rowId(at) }));
  return { ...size, end: afterAll(places, 0n), replaced: minReplaced };
};

/** Returns whether rows are exactly those of one fragment from its first one on. */
export const isFragment = (places: readonly Place[]): boolean => {
  const first = places[0]?.rowId ?? 1n;
  const start = (first >> fragmentBits) << fragmentBits;
  return first === start && places.every(({ rowId }, at) => rowId === start + BigInt(at));
};

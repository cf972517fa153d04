import type { Table } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import { columnOf, mapRows } from './decode-rows.ts';
import type { Place } from './resident-places.ts';

/** Rows of a table on one version, with tombstones, and the fragments that they stand in. */
export interface Size {
  readonly rows: number;
  readonly fragments: number;
}

/** How far a table reaches on one version. */
export interface Extent extends Size {
  /** Where rows are added that come after those which are there. */
  readonly end: bigint;
  /** In how many rows' place the last commit put others, where that is known: the next one is mostly like it. */
  readonly replaced: number;
}

/** Every commit replaces the row that carries the journal. */
export const leastReplaced = 1;

/** Lance places rows by fragment and position: every write makes fragments with higher numbers, and so does a compaction. */
const fragmentBits = 32n;

const fragmentAfter = (rowId: bigint): bigint => ((rowId >> fragmentBits) + 1n) << fragmentBits;

/** Where rows are added that come after these, and after all that was known to be there. */
export const afterAll = (places: readonly Pick<Place, 'rowId'>[], end: bigint): bigint =>
  places.reduce((latest, { rowId }) => (rowId < latest ? latest : fragmentAfter(rowId)), end);

/** How large a table is. */
export const sizeOf = async (table: Table): Promise<Size> => {
  const { numRows, fragmentStats } = await table.stats();
  return { rows: numRows, fragments: fragmentStats.numFragments };
};

/** How far a table reaches of which these rows were read. */
export const extentOf = async (table: Table, places: readonly Place[]): Promise<Extent> => ({
  ...(await sizeOf(table)),
  end: afterAll(places, 0n),
  replaced: leastReplaced,
});

/** How far a table reaches, by its last row. */
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
  return { ...size, end: afterAll(places, 0n), replaced: leastReplaced };
};

/** Whether rows are those of one fragment, from its first one on. */
export const isFragment = (places: readonly Place[]): boolean => {
  const first = places[0]?.rowId ?? 1n;
  const start = (first >> fragmentBits) << fragmentBits;
  return first === start && places.every(({ rowId }, at) => rowId === start + BigInt(at));
};

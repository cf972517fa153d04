import type { Table } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import { columnOf, mapRows } from './decode-rows.ts';
import { chunked, live } from './read-layers.ts';
import { type Place, placeColumns, placesOf, startSharing, vectorsOf } from './resident-places.ts';

/** Rows of a table on one version, with tombstones, and the fragments that they stand in. */
interface Size {
  readonly rows: number;
  readonly fragments: number;
}

/** How far a table reaches on one version. */
export interface Extent extends Size {
  /** Where rows are added that come after those which are there. */
  readonly end: bigint;
}

/** What is in memory of a table. */
interface Known {
  readonly width: number;
  readonly places: readonly Place[];
  /** Where the row of an id stands. */
  readonly byId: ReadonlyMap<string, number>;
  /** Of this version; none while it changes. */
  readonly version: number | null;
  readonly extent: Extent;
}

type VectorOf = readonly [Place, Float32Array];

/** What has become of rows between two versions. */
export interface Changes {
  readonly written: readonly Place[];
  /** Those of the written rows, as they come; fewer where a row came without. */
  readonly vectors: AsyncIterable<VectorOf> | Iterable<VectorOf>;
  /** Rows that stand elsewhere in the table by now. */
  readonly moved: readonly Place[];
  readonly gone: readonly string[];
  readonly extent: Extent;
}

/** Numbers that are read for a question which waits for them, and rows that are looked at. */
const soonNumbers = 4_000_000;
const soonRows = 20_000;
/** Numbers that are read at once. */
const portionNumbers = 1_500_000;
/** Rows in whose place others came, at most, where the end of a table is read alone. */
const mostReplaced = 32;

/** Lance places rows by fragment and position: every write makes fragments with higher numbers, and so does a compaction. */
const fragmentBits = 32n;

const fragmentAfter = (rowId: bigint): bigint => ((rowId >> fragmentBits) + 1n) << fragmentBits;

const afterAll = (places: readonly Pick<Place, 'rowId'>[], end: bigint): bigint =>
  places.reduce((latest, { rowId }) => (rowId < latest ? latest : fragmentAfter(rowId)), end);

const sizeOf = async (table: Table): Promise<Size> => {
  const { numRows, fragmentStats } = await table.stats();
  return { rows: numRows, fragments: fragmentStats.numFragments };
};

/** How far a table reaches of which these rows were read. */
export const extentOf = async (table: Table, places: readonly Place[]): Promise<Extent> => ({
  ...(await sizeOf(table)),
  end: afterAll(places, 0n),
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
  return { ...size, end: afterAll(places, 0n) };
};

/** Where the rows of a table stand from a place on, some at a time. */
export const readPlaces = async function* (
  table: Table,
  from: bigint,
): AsyncGenerator<readonly Pick<Place, 'id' | 'rowId'>[]> {
  const query = table.query().where(`_rowid >= ${from} AND ${live}`).select(['id']).withRowId();
  for await (const batch of query) {
    const [id, rowId] = [columnOf<string>(batch, 'id'), columnOf<bigint>(batch, '_rowid')];
    yield Array.from({ length: batch.numRows }, (_, at) => ({ id: id(at), rowId: rowId(at) }));
  }
};

/** Vectors of rows by their place in the table, as they come. */
const readVectors = async function* (table: Table, places: readonly Place[], width: number): AsyncGenerator<VectorOf> {
  const byRowId = new Map(places.map((place) => [place.rowId, place]));
  for (const portion of chunked(places, Math.max(1, Math.floor(portionNumbers / width)))) {
    const query = table
      .takeRowIds(portion.map(({ rowId }) => rowId))
      .select(['vector'])
      .withRowId();
    for await (const batch of query) {
      const rowId = columnOf<bigint>(batch, '_rowid');
      for (const [at, vector] of vectorsOf(batch, width).entries()) {
        const place = byRowId.get(rowId(at));
        if (place !== undefined && vector !== null) yield [place, vector];
      }
    }
  }
};

/** Whether rows are those of one fragment, from its first one on. */
const isFragment = (places: readonly Place[]): boolean => {
  const first = places[0]?.rowId ?? 1n;
  const start = (first >> fragmentBits) << fragmentBits;
  return first === start && places.every(({ rowId }, at) => rowId === start + BigInt(at));
};

/**
 * The changes of one commit that has added a fragment and replaced few rows, as most do: what stands at the end of the table
 * is all of them, and is there in a quarter of the time that a search for it takes. Null where they are not known to be that.
 * Of all that makes a version, writing alone leaves a fragment more than before.
 */
const readLastFragment = async (
  { width, version: before, extent: known }: Known,
  table: Table,
  version: number,
  sizing: Promise<Size>,
): Promise<Changes | null> => {
  if (version - 1 !== before) return null;
  const mostRows = Math.floor(soonNumbers / width);
  const query = table
    .query()
    .offset(Math.max(0, known.rows - mostReplaced))
    .limit(mostRows)
    .select([...placeColumns, 'deleted', 'vector'])
    .withRowId();
  // Both at once: each of them takes longer to be handed on than to be worked out.
  const [size, batches] = await Promise.all([sizing, Array.fromAsync(query)]);
  if (size.fragments - 1 !== known.fragments || size.rows - known.rows + mostReplaced > mostRows) return null;
  const all: Place[] = [];
  const [written, vectors, gone]: [Place[], VectorOf[], string[]] = [[], [], []];
  const sharing = startSharing();
  for (const batch of batches) {
    const deleted = columnOf<boolean>(batch, 'deleted');
    const found = vectorsOf(batch, width);
    for (const [at, place] of placesOf(batch, sharing).entries()) {
      if (place.rowId < known.end) continue;
      all.push(place);
      if (deleted(at)) {
        gone.push(place.id);
        continue;
      }
      written.push(place);
      const vector = found[at] ?? null;
      if (vector !== null) vectors.push([place, vector]);
    }
  }
  if (!isFragment(all)) return null;
  const end = afterAll(all, known.end);
  return { written, vectors, moved: [], gone, extent: { ...size, end } };
};

/** How many rows memory has after changes. */
export const rowsAfter = (
  { byId }: Pick<Known, 'byId'>,
  { written, gone }: Pick<Changes, 'written' | 'gone'>,
): number => {
  const left = gone.filter((id) => byId.has(id)).length;
  const added = written.filter(({ id }) => !byId.has(id)).length;
  return byId.size - left + added;
};

/** Rows in memory that a table does not have any more. */
const findMissing = async ({ byId }: Known, table: Table, pause: () => Promise<void>): Promise<readonly string[]> => {
  const missing = new Set(byId.keys());
  for await (const batch of table.query().where(live).select(['id'])) {
    const id = columnOf<string>(batch, 'id');
    for (let at = 0; at < batch.numRows; at += 1) missing.delete(id(at));
    await pause();
  }
  return [...missing];
};

/**
 * The changes between any two versions. Maintenance removes tombstones: where one went that nobody has seen here, the table
 * has fewer rows than memory has, and those that are left over are found by their ids.
 */
const findChanges = async (
  inMemory: Known,
  table: Table,
  size: Size,
  onMany: () => void,
  pause: () => Promise<void>,
): Promise<Changes> => {
  const { width, places, byId, extent: known } = inMemory;
  const [written, moved, gone]: [Place[], Place[], string[]] = [[], [], []];
  const sharing = startSharing();
  let { end } = known;
  const behind = `_rowid >= ${known.end}`;
  // After an index was built, a compaction moves all rows that it covers.
  if ((await table.countRows(behind)) > soonRows) onMany();
  const query = table
    .query()
    .where(behind)
    .select([...placeColumns, 'deleted'])
    .withRowId();
  for await (const batch of query) {
    const deleted = columnOf<boolean>(batch, 'deleted');
    const found = placesOf(batch, sharing);
    end = afterAll(found, end);
    for (const [at, place] of found.entries()) {
      const there = places[byId.get(place.id) ?? -1];
      if (deleted(at)) gone.push(place.id);
      else if (there !== undefined && place.version !== null && place.version === there.version) moved.push(place);
      else written.push(place);
    }
    if (written.length * width > soonNumbers) onMany();
    await pause();
  }
  const changes = { written, vectors: readVectors(table, written, width), moved, gone, extent: { ...size, end } };
  if ((await table.countRows(live)) === rowsAfter(inMemory, changes)) return changes;
  onMany();
  return { ...changes, gone: await findMissing(inMemory, table, pause) };
};

/**
 * The rows that were written, moved or deleted since: whatever happens to a row makes a row or a tombstone of its id behind
 * all that were there before.
 * @param table Stands on `version`.
 * @param onMany Is told where so many rows are read, or looked at, that a question should not wait.
 * @param pause Lets others have a turn.
 */
export const readChanges = async (
  known: Known,
  table: Table,
  version: number,
  onMany: () => void,
  pause: () => Promise<void>,
): Promise<Changes> => {
  const sizing = sizeOf(table);
  const last = await readLastFragment(known, table, version, sizing);
  return last ?? findChanges(known, table, await sizing, onMany, pause);
};

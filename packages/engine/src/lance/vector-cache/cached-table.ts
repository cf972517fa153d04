import type { Table } from '@lancedb/lancedb';
import { loadVectors } from '../../in-memory-search/vector-search.ts';
import type { IndexRef } from '../../port.ts';
import { readChanges, rowsAfter } from './read-changes.ts';
import type { Changes } from './read-last-commit.ts';
import { live } from '../read-layers.ts';
import {
  type TableMemory,
  moveToVersion,
  openTableMemory,
  setAddress,
  addRows,
  removeRow,
  findMovedRows,
} from './table-memory.ts';
import { areCached, numbersOf, type Place, placeColumns, placesOf, startSharedValues } from './row-places.ts';
import type { VectorCacheRows, VectorCacheTable } from '../search-table.ts';
import { extentOf } from './table-extent.ts';
import { paddedDimensions } from '../../padded-dimensions.ts';
import { yielding, yieldingWithRest } from './yield-to-queries.ts';

/** Settings that determine how the vectors of a table are compared. */
export type VectorSettings = Pick<IndexRef, 'dimensions' | 'metric'>;

/** Cached rows of a table, at one version after another. */
export interface CachedTableRows {
  /** Number of rows. */
  readonly count: () => number;
  /** Version of the cached rows. Null while they change. */
  readonly version: () => number | null;
  /** Returns the search over a version. Null if another version is cached. */
  readonly of: (version: number) => VectorCacheTable | null;
  /**
   * Updates the cached rows to a newer version, that of the table handle. `full` and `unfit` report that this failed
   * and the cached rows are unusable: there was no capacity, or the engine searches the rows better.
   * @param onMany Called if the update takes longer than a query should wait.
   */
  readonly follow: (table: Table, version: number, onMany: () => void) => Promise<'there' | 'full' | 'unfit'>;
  /**
   * Moves the cached rows to a later version between which no row has changed, though compaction may have moved rows.
   * Until `settle` is done, all existing rows count as moved. Nothing else may change the cache meanwhile.
   */
  readonly moveOn: (table: Table, version: number) => Promise<void>;
  /**
   * Finds the new addresses of rows that compaction has moved, in a table at the version that the cache has moved to.
   * The cache serves queries and follows other versions meanwhile. After its next move this has to run again.
   * @param isWanted If it returns false, this throws.
   */
  readonly settle: (table: Table, isWanted: () => boolean) => Promise<void>;
  /** Returns whether so many rows were added that a recalibration is worthwhile. */
  readonly isOutgrown: () => boolean;
  /**
   * Recalibrates the search, while the cache serves queries and follows other versions. Returns false if the engine
   * searches these rows better by now.
   * @param isWanted If it returns false, this throws.
   */
  readonly measure: (isWanted: () => boolean) => Promise<boolean>;
}

/** Numbers after which a step yields. */
const stepNumbers = 200_000;

// Mostly the first condition decides, which reads no ids.
const exceedsCapacity = (memory: TableMemory, changes: Changes): boolean =>
  memory.byId.size + changes.written.length > memory.room && rowsAfter(memory, changes) > memory.room;

const followTo =
  (memory: TableMemory, pause: () => Promise<void>): CachedTableRows['follow'] =>
  async (table, version, onMany) => {
    const { width, byId, places } = memory;
    const changes = await readChanges(memory, table, version, onMany, pause);
    if (exceedsCapacity(memory, changes)) return 'full';
    memory.version = null;
    if (changes.written.length > 0 || changes.gone.length > 0) memory.selections.clear();
    for (const id of changes.gone) removeRow(memory, id);
    for (const place of changes.moved) setAddress(memory, byId.get(place.id) ?? places.length, place);
    const stepRows = Math.ceil(stepNumbers / width);
    let [read, unpaused] = [0, 0];
    for await (const { places: found, numbers } of changes.portions) {
      for (let from = 0; from < found.length; from += stepRows) {
        const to = Math.min(found.length, from + stepRows);
        const step = { places: found.slice(from, to), numbers: numbers.subarray(from * width, to * width) };
        if (!addRows(memory, step)) return 'unfit';
        read += to - from;
        unpaused += to - from;
        if (unpaused < stepRows) continue;
        unpaused = 0;
        await pause();
      }
    }
    if (read !== changes.written.length) throw new Error('rows of a table were read without their vectors');
    memory.extent = changes.extent;
    memory.version = version;
    return 'there';
  };

/** Searches all rows, or those at some positions, while a version is cached. */
const nearestIn =
  (memory: TableMemory, version: number, among: Int32Array | null): VectorCacheRows['nearest'] =>
  (vector, limit, columns) => {
    // A query that began on another version is served by the engine at that version.
    if (version !== memory.version) return null;
    const { vectors, places, moved } = memory;
    const inline = areCached(columns);
    return (
      vectors.nearest(vector, limit, among)?.flatMap(({ place, score }) => {
        const found = places[place];
        if (found === undefined) return [];
        const { id, rowId, source } = found;
        const row = inline ? { id, text: null, metadata: {}, vector: null, ...source } : null;
        return { id, rowId, isMoved: moved[place] === 1, row, searched: null, score };
      }) ?? null
    );
  };

const tableIn = (memory: TableMemory, version: number): VectorCacheTable => ({
  nearest: nearestIn(memory, version, null),
  matching: async (condition, table) => {
    const among = version === memory.version ? await memory.selections.of(condition, table) : null;
    return among === null ? null : { nearest: nearestIn(memory, version, among) };
  },
});

const cachedTableRows = (memory: TableMemory, pause: () => Promise<void>): CachedTableRows => {
  const { vectors } = memory;
  return {
    count: () => memory.byId.size,
    version: () => memory.version,
    of: (version) => (version === memory.version ? tableIn(memory, version) : null),
    follow: followTo(memory, pause),
    moveOn: (table, version) => moveToVersion(memory, table, version),
    settle: (table, isWanted) => findMovedRows(memory, table, yieldingWithRest(isWanted)),
    isOutgrown: vectors.isOutgrown,
    measure: (isWanted) => vectors.measure(yieldingWithRest(isWanted)),
  };
};

/**
 * Loads a table at a fixed version into the cache. Returns null if the engine searches its vectors better.
 * @param of The version, its rows without tombstones, and the capacity.
 * @param isWanted If it returns false, loading and later updates throw.
 */
export const loadRows = async (
  table: Table,
  of: { readonly version: number; readonly rows: number; readonly room: number },
  { dimensions, metric }: VectorSettings,
  isWanted: () => boolean,
): Promise<CachedTableRows | null> => {
  const { rows, room } = of;
  const width = paddedDimensions(dimensions);
  const pause = yielding(isWanted);
  const keeping = loadVectors({ rows, room, width, metric });
  const places: Place[] = [];
  const sharing = startSharedValues();
  const query = table
    .query()
    .where(live)
    .select([...placeColumns, 'vector'])
    .withRowId();
  for await (const batch of query) {
    let place = places.length;
    if (place + batch.numRows > rows) throw new Error('a table has more rows than it counts');
    for (const numbers of numbersOf(batch, width)) {
      keeping.fill(place, numbers);
      place += numbers.length / width;
    }
    places.push(...placesOf(batch, sharing));
    await pause();
  }
  if (places.length !== rows) throw new Error('a table has fewer rows than it counts');
  const vectors = await keeping.finish(pause);
  if (vectors === null) return null;
  const byId = new Map(places.map(({ id }, at) => [id, at]));
  const extent = await extentOf(table, places);
  return cachedTableRows(
    openTableMemory({ width, room, vectors, places, byId, free: [], version: of.version, extent }),
    pause,
  );
};

import type { Table } from '@lancedb/lancedb';
import { keepVectors } from '../resident/resident-vectors.ts';
import type { IndexRef } from '../port.ts';
import { readChanges, rowsAfter } from './read-changes.ts';
import type { Changes } from './read-end.ts';
import { live } from './read-layers.ts';
import { type Memory, moveOn, openMemory, placeRow, putRows, removeRow, settle } from './resident-memory.ts';
import { areKept, numbersOf, type Place, placeColumns, placesOf, startSharing } from './resident-places.ts';
import type { ResidentRows, ResidentTable } from './search-table.ts';
import { extentOf } from './table-extent.ts';
import { paddedDimensions } from './table-schema.ts';
import { pausing, resting } from './turns.ts';

/** What tells how the vectors of a table are compared. */
export type Comparing = Pick<IndexRef, 'dimensions' | 'metric'>;

/** The rows of a table in memory, as of one version after another. */
export interface KeptRows {
  /** How many they are. */
  readonly count: () => number;
  /** That which is in memory; null while it changes. */
  readonly version: () => number | null;
  /** What finds rows of a version; null where another one is in memory. */
  readonly of: (version: number) => ResidentTable | null;
  /**
   * Brings memory to a newer version, on which the table stands. `full` and `unfit` say that it could not be, and that memory
   * is of no use any more, since rows found no room, or are better searched by the engine.
   * @param onMany Is told where that takes longer than a question should wait.
   */
  readonly follow: (table: Table, version: number, onMany: () => void) => Promise<'there' | 'full' | 'unfit'>;
  /**
   * Has memory stand on a later version between which and the one in memory no row has changed, though maintenance may have
   * moved rows: until `settle` is done, all that were there count as moved. Nothing else may change memory meanwhile.
   */
  readonly moveOn: (table: Table, version: number) => Promise<void>;
  /**
   * Finds where rows stand that maintenance has moved, of a table on the version that memory has moved on to. Memory answers
   * and follows others meanwhile; what it moves on to next has to be settled anew.
   * @param isWanted Once it says no, this ends with an error.
   */
  readonly settle: (table: Table, isWanted: () => boolean) => Promise<void>;
  /** Whether there are so many more rows than were measured that it is worth measuring anew. */
  readonly isOutgrown: () => boolean;
  /**
   * Measures anew how its rows are found, while it answers and follows other versions; false where the engine is better asked
   * for them by now.
   * @param isWanted Once it says no, this ends with an error.
   */
  readonly measure: (isWanted: () => boolean) => Promise<boolean>;
}

/** After so many numbers others have a turn. */
const stepNumbers = 200_000;

// Mostly the first tells, which looks at no id.
const isFull = (memory: Memory, changes: Changes): boolean =>
  memory.byId.size + changes.written.length > memory.room && rowsAfter(memory, changes) > memory.room;

const followTo =
  (memory: Memory, pause: () => Promise<void>): KeptRows['follow'] =>
  async (table, version, onMany) => {
    const { width, byId, places } = memory;
    const changes = await readChanges(memory, table, version, onMany, pause);
    if (isFull(memory, changes)) return 'full';
    memory.version = null;
    if (changes.written.length > 0 || changes.gone.length > 0) memory.selections.clear();
    for (const id of changes.gone) removeRow(memory, id);
    for (const place of changes.moved) placeRow(memory, byId.get(place.id) ?? places.length, place);
    const stepRows = Math.ceil(stepNumbers / width);
    let [read, unpaused] = [0, 0];
    for await (const { places: found, numbers } of changes.portions) {
      for (let from = 0; from < found.length; from += stepRows) {
        const to = Math.min(found.length, from + stepRows);
        const step = { places: found.slice(from, to), numbers: numbers.subarray(from * width, to * width) };
        if (!putRows(memory, step)) return 'unfit';
        read += to - from;
        unpaused += to - from;
        if (unpaused < stepRows) continue;
        unpaused = 0;
        await pause();
      }
    }
    if (read !== changes.written.length) throw new Error('rows of a table came without their vectors');
    memory.extent = changes.extent;
    memory.version = version;
    return 'there';
  };

/** What finds rows, of all or those at some places, for as long as a version is in memory. */
const nearestIn =
  (memory: Memory, version: number, among: Int32Array | null): ResidentRows['nearest'] =>
  (vector, limit, columns) => {
    // A question that began on another version gets its answer from there.
    if (version !== memory.version) return null;
    const { vectors, places, moved } = memory;
    const inline = areKept(columns);
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

const tableIn = (memory: Memory, version: number): ResidentTable => ({
  nearest: nearestIn(memory, version, null),
  matching: async (condition, table) => {
    const among = version === memory.version ? await memory.selections.of(condition, table) : null;
    return among === null ? null : { nearest: nearestIn(memory, version, among) };
  },
});

const keptRows = (memory: Memory, pause: () => Promise<void>): KeptRows => {
  const { vectors } = memory;
  return {
    count: () => memory.byId.size,
    version: () => memory.version,
    of: (version) => (version === memory.version ? tableIn(memory, version) : null),
    follow: followTo(memory, pause),
    moveOn: (table, version) => moveOn(memory, table, version),
    settle: (table, isWanted) => settle(memory, table, resting(isWanted)),
    isOutgrown: vectors.isOutgrown,
    measure: (isWanted) => vectors.measure(resting(isWanted)),
  };
};

/**
 * Reads a table that stands on one version into memory; null where its vectors are better searched by the engine.
 * @param of That version, rows of it that are no tombstones, and how many memory has room for.
 * @param isWanted Once it says no, reading ends with an error, also that of a later version.
 */
export const loadRows = async (
  table: Table,
  of: { readonly version: number; readonly rows: number; readonly room: number },
  { dimensions, metric }: Comparing,
  isWanted: () => boolean,
): Promise<KeptRows | null> => {
  const { rows, room } = of;
  const width = paddedDimensions(dimensions);
  const pause = pausing(isWanted);
  const keeping = keepVectors({ rows, room, width, metric });
  const places: Place[] = [];
  const sharing = startSharing();
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
  return keptRows(openMemory({ width, room, vectors, places, byId, free: [], version: of.version, extent }), pause);
};

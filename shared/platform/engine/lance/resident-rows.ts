import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import { keepVectors, type ResidentVectors } from '../resident/resident-vectors.ts';
import type { IndexRef } from '../port.ts';
import { type Changes, type Extent, extentOf, readChanges, rowsAfter } from './read-changes.ts';
import { live } from './read-layers.ts';
import { areKept, numbersOf, type Place, placeColumns, placesOf, startSharing } from './resident-places.ts';
import { openSelections, type Selections } from './resident-selections.ts';
import type { ResidentRows, ResidentTable } from './search-table.ts';
import { paddedDimensions } from './table-schema.ts';

/** What tells how the vectors of a table are compared. */
export type Comparing = Pick<IndexRef, 'dimensions' | 'metric'>;

/** The rows of a table in memory, as of one version after another. */
export interface KeptRows {
  /** How many they are. */
  readonly count: () => number;
  /** Whether little is left of the room for more. */
  readonly isTight: () => boolean;
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
   * The same rows, as of the version that is in memory now, with room for so many; what is here goes on answering, and
   * follows other versions. Null while memory changes, and where the engine is better asked for the rows by now.
   * @param isWanted Once it says no, this ends with an error, and so does following a later version.
   */
  readonly enlarge: (room: number, isWanted: () => boolean) => Promise<KeptRows | null>;
}

/** Whether little is left of the room for more: one with more has to be there before it is full. */
export const isTight = (rows: number, room: number): boolean => rows > room * 0.8;

/** After so many numbers others have a turn. */
const stepNumbers = 200_000;

/** What stands in memory, and of which version: none while it changes. */
interface Memory {
  readonly width: number;
  readonly room: number;
  readonly vectors: ResidentVectors;
  readonly places: Place[];
  /** Where the row of an id stands. */
  readonly byId: Map<string, number>;
  /** Where rows have gone. */
  readonly free: number[];
  readonly selections: Selections;
  version: number | null;
  extent: Extent;
}

const requireWanted = (isWanted: () => boolean): void => {
  if (!isWanted()) throw new Error('nobody wants these rows any more');
};

/** Lets others have a turn, and ends where nobody wants these rows any more. */
const pausing = (isWanted: () => boolean) => async (): Promise<void> => {
  await setImmediate();
  requireWanted(isWanted);
};

/** How much longer than it works what makes room for later takes rests: there is time, and those who ask have none. */
const restForWork = 2;

/** The same, with a rest after each step. */
const resting = (isWanted: () => boolean) => {
  let resumedMs = performance.now();
  return async (): Promise<void> => {
    await delay(restForWork * (performance.now() - resumedMs));
    requireWanted(isWanted);
    resumedMs = performance.now();
  };
};

const removeRow = ({ vectors, byId, free }: Memory, id: string): void => {
  const at = byId.get(id);
  if (at === undefined) return;
  vectors.remove(at);
  byId.delete(id);
  free.push(at);
};

const putRow = ({ vectors, byId, free, places }: Memory, place: Place, numbers: Float32Array): boolean => {
  const at = byId.get(place.id) ?? free.pop() ?? places.length;
  places[at] = place;
  byId.set(place.id, at);
  return vectors.put(at, numbers);
};

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
    for (const place of changes.moved) places[byId.get(place.id) ?? places.length] = place;
    const stepRows = Math.ceil(stepNumbers / width);
    let read = 0;
    for await (const [place, numbers] of changes.vectors) {
      if (!putRow(memory, place, numbers)) return 'unfit';
      read += 1;
      if (read % stepRows === 0) await pause();
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
    const { vectors, places } = memory;
    const inline = areKept(columns);
    return (
      vectors.nearest(vector, limit, among)?.flatMap(({ place, score }) => {
        const found = places[place];
        if (found === undefined) return [];
        const { id, rowId, source } = found;
        const row = inline ? { id, text: null, metadata: {}, vector: null, ...source } : null;
        return { id, rowId, row, searched: null, score };
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

// Places that change while they are copied are those of rows which have changed since: following a later version puts them right.
const enlargeFrom =
  (memory: Memory): KeptRows['enlarge'] =>
  async (room, isWanted) => {
    const { width, version, extent } = memory;
    if (version === null) return null;
    const [places, byId, free] = [[...memory.places], new Map(memory.byId), [...memory.free]];
    const vectors = await memory.vectors.enlarge(room, resting(isWanted));
    if (vectors === null) return null;
    for (const at of free) vectors.remove(at);
    return keptRows({ width, room, vectors, places, byId, free, version, extent }, pausing(isWanted));
  };

const keptRows = (read: Omit<Memory, 'selections'>, pause: () => Promise<void>): KeptRows => {
  const memory: Memory = { ...read, selections: openSelections(read.byId) };
  return {
    count: () => memory.byId.size,
    isTight: () => isTight(memory.byId.size, memory.room),
    version: () => memory.version,
    of: (version) => (version === memory.version ? tableIn(memory, version) : null),
    follow: followTo(memory, pause),
    enlarge: enlargeFrom(memory),
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
  return keptRows({ width, room, vectors, places, byId, free: [], version: of.version, extent }, pause);
};

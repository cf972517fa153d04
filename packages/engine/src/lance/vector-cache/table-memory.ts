import type { Table } from '@lancedb/lancedb';
import type { VectorSearch } from '../../in-memory-search/vector-search.ts';
import { readPlaces } from './read-changes.ts';
import type { Place, VectorBatch } from './row-places.ts';
import { filterCache, type FilterCache } from './filter-cache.ts';
import { type Extent, readExtent } from './table-extent.ts';

/** Cached rows of a table, and their version: none while they change. */
export interface TableMemory {
  readonly width: number;
  readonly room: number;
  readonly vectors: VectorSearch;
  readonly places: Place[];
  /** Position of the row of an id. */
  readonly byId: Map<string, number>;
  /** Positions of removed rows. */
  readonly free: number[];
  readonly selections: FilterCache;
  /** 1 at the positions of rows whose address in the table may have changed. */
  readonly moved: Uint8Array;
  /** First address of the rows that have moved. Null if none have. */
  movedFrom: bigint | null;
  /** Number of moves to a later version so far. */
  moves: number;
  version: number | null;
  extent: Extent;
}

/** Creates the cache state from the rows that were read. */
export const openTableMemory = (
  read: Omit<TableMemory, 'selections' | 'moved' | 'movedFrom' | 'moves'>,
): TableMemory => ({
  ...read,
  selections: filterCache(read.byId),
  moved: new Uint8Array(read.room),
  movedFrom: null,
  moves: 0,
});

/** Removes the row of an id, if there is one. */
export const removeRow = ({ vectors, byId, free }: TableMemory, id: string): void => {
  const at = byId.get(id);
  if (at === undefined) return;
  vectors.remove(at);
  byId.delete(id);
  free.push(at);
};

/** Records the address of a row in the table. */
export const setAddress = ({ places, moved }: TableMemory, at: number, place: Place): void => {
  places[at] = place;
  moved[at] = 0;
};

/** Records the address of a written row. Returns its position: that of the row with the same id, or a free one. */
const setAddressOfWritten = (memory: TableMemory, place: Place): number => {
  const { byId, free, places } = memory;
  const at = byId.get(place.id) ?? free.pop() ?? places.length;
  setAddress(memory, at, place);
  byId.set(place.id, at);
  return at;
};

/** Adds rows with their vectors. Returns false if the length of a vector cannot be compared. */
export const addRows = (memory: TableMemory, { places, numbers }: VectorBatch): boolean => {
  const { vectors, width } = memory;
  const at = places.map((place) => setAddressOfWritten(memory, place));
  // Most rows are new, and their positions follow each other.
  const ends = at.flatMap((place, row) => (at[row + 1] === place + 1 ? [] : [row + 1]));
  return ends.every((end, run) => {
    const from = ends[run - 1] ?? 0;
    return vectors.put(at[from] ?? 0, numbers.subarray(from * width, end * width));
  });
};

/** Moves the cache to a later version with the same rows. They count as moved until their new addresses are found. */
export const moveToVersion = async (memory: TableMemory, table: Table, version: number): Promise<void> => {
  const extent = await readExtent(table);
  memory.movedFrom ??= memory.extent.end;
  memory.moved.fill(1, 0, memory.places.length);
  memory.moves += 1;
  Object.assign(memory, { version, extent });
};

/** Finds the new addresses of moved rows in a table at the version that the cache has moved to. */
export const findMovedRows = async (memory: TableMemory, table: Table, pause: () => Promise<void>): Promise<void> => {
  const { places, byId, moved, movedFrom, moves } = memory;
  for await (const found of readPlaces(table, movedFrom ?? 0n)) {
    if (memory.moves !== moves) return;
    for (const { id, rowId } of found) {
      const at = byId.get(id) ?? -1;
      const place = places[at];
      // Other rows were written since, or are removed.
      if (place !== undefined && moved[at] === 1) setAddress(memory, at, { ...place, rowId });
    }
    await pause();
  }
  if (memory.moves !== moves) return;
  moved.fill(0);
  memory.movedFrom = null;
};

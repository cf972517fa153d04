import type { Table } from '@lancedb/lancedb';
import type { ResidentVectors } from '../resident/resident-vectors.ts';
import { readPlaces } from './read-changes.ts';
import type { Place, Portion } from './resident-places.ts';
import { openSelections, type Selections } from './resident-selections.ts';
import { type Extent, readExtent } from './table-extent.ts';

/** What stands in memory, and of which version: none while it changes. */
export interface Memory {
  readonly width: number;
  readonly room: number;
  readonly vectors: ResidentVectors;
  readonly places: Place[];
  /** Where the row of an id stands. */
  readonly byId: Map<string, number>;
  /** Where rows have gone. */
  readonly free: number[];
  readonly selections: Selections;
  /** 1 at the places of rows that may stand elsewhere in the table by now. */
  readonly moved: Uint8Array;
  /** Where those begin in the table that have moved; null where none have. */
  movedFrom: bigint | null;
  /** How often it has moved on. */
  moves: number;
  version: number | null;
  extent: Extent;
}

/** Memory with the rows that were read. */
export const openMemory = (read: Omit<Memory, 'selections' | 'moved' | 'movedFrom' | 'moves'>): Memory => ({
  ...read,
  selections: openSelections(read.byId),
  moved: new Uint8Array(read.room),
  movedFrom: null,
  moves: 0,
});

/** Takes the row of an id away, where there is one. */
export const removeRow = ({ vectors, byId, free }: Memory, id: string): void => {
  const at = byId.get(id);
  if (at === undefined) return;
  vectors.remove(at);
  byId.delete(id);
  free.push(at);
};

/** Notes where a row stands in the table. */
export const placeRow = ({ places, moved }: Memory, at: number, place: Place): void => {
  places[at] = place;
  moved[at] = 0;
};

/** Notes where a row stands that was written: in the place of that with its id, or in one that is free, which is returned. */
const placeWritten = (memory: Memory, place: Place): number => {
  const { byId, free, places } = memory;
  const at = byId.get(place.id) ?? free.pop() ?? places.length;
  placeRow(memory, at, place);
  byId.set(place.id, at);
  return at;
};

/** Puts rows with their vectors into memory; false where the length of one is not fit to be compared. */
export const putRows = (memory: Memory, { places, numbers }: Portion): boolean => {
  const { vectors, width } = memory;
  const at = places.map((place) => placeWritten(memory, place));
  // Most are new, and stand one behind the other.
  const ends = at.flatMap((place, row) => (at[row + 1] === place + 1 ? [] : [row + 1]));
  return ends.every((end, run) => {
    const from = ends[run - 1] ?? 0;
    return vectors.put(at[from] ?? 0, numbers.subarray(from * width, end * width));
  });
};

/** Has memory stand on a later version: what was there counts as moved until it is settled. */
export const moveOn = async (memory: Memory, table: Table, version: number): Promise<void> => {
  const extent = await readExtent(table);
  memory.movedFrom ??= memory.extent.end;
  memory.moved.fill(1, 0, memory.places.length);
  memory.moves += 1;
  Object.assign(memory, { version, extent });
};

/** Finds where those stand that have moved, of a table on the version that memory has moved on to. */
export const settle = async (memory: Memory, table: Table, pause: () => Promise<void>): Promise<void> => {
  const { places, byId, moved, movedFrom, moves } = memory;
  for await (const found of readPlaces(table, movedFrom ?? 0n)) {
    if (memory.moves !== moves) return;
    for (const { id, rowId } of found) {
      const at = byId.get(id) ?? -1;
      const place = places[at];
      // Others were written since, or are gone.
      if (place !== undefined && moved[at] === 1) placeRow(memory, at, { ...place, rowId });
    }
    await pause();
  }
  if (memory.moves !== moves) return;
  moved.fill(0);
  memory.movedFrom = null;
};

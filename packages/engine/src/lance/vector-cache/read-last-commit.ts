import type { Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { columnOf } from '../decode-rows.ts';
import {
  type Place,
  placeColumns,
  placesOf,
  type VectorBatch,
  vectorBatchesOf,
  startSharedValues,
} from './row-places.ts';
import { afterAll, type Extent, isFragment, minReplaced, type Size } from './table-extent.ts';

/** Cached state of a table. */
export interface CachedState {
  readonly width: number;
  readonly places: readonly Place[];
  /** Position of the row of an id. */
  readonly byId: ReadonlyMap<string, number>;
  /** Version of the cached rows. Null while they change. */
  readonly version: number | null;
  readonly extent: Extent;
}

/** Changes of rows between two versions. */
export interface Changes {
  readonly written: readonly Place[];
  /** Written rows with their vectors, in batches. Fewer if a row had no vector. */
  readonly portions: AsyncIterable<VectorBatch> | Iterable<VectorBatch>;
  /** Rows whose address in the table has changed. */
  readonly moved: readonly Place[];
  readonly gone: readonly string[];
  readonly extent: Extent;
}

/** Numbers that are read while a query waits for them. */
export const maxNumbersPerQuery = 4_000_000;
/** Maximum of replaced rows for which only the end of a table is read. */
const maxReplaced = 32;

/** Returns the rows of a query, up to a limit. Counting takes the engine as long as returning some. */
const rowsUpTo = async (
  query: AsyncIterable<RecordBatch>,
  count: () => Promise<number>,
): Promise<readonly RecordBatch[]> => {
  const batches: RecordBatch[] = [];
  let read = 0;
  for await (const batch of query) {
    batches.push(batch);
    read += batch.numRows;
    if (read >= (await count())) break;
  }
  return batches;
};

/** Returns the changes in rows at the end of a table. Null if these rows are not exactly one fragment. */
const changesIn = (
  batches: readonly RecordBatch[],
  { width, extent: known }: CachedState,
  size: Size,
): Changes | null => {
  const all: Place[] = [];
  const [written, portions, gone]: [Place[], VectorBatch[], string[]] = [[], [], []];
  const sharing = startSharedValues();
  for (const batch of batches) {
    const deleted = columnOf<boolean>(batch, 'deleted');
    const found = placesOf(batch, sharing).map((place, at) => {
      if (place.rowId < known.end) return null;
      all.push(place);
      if (!deleted(at)) return place;
      gone.push(place.id);
      return null;
    });
    written.push(...found.filter((place) => place !== null));
    portions.push(...vectorBatchesOf(batch, width, (at) => found[at] ?? null));
  }
  if (!isFragment(all)) return null;
  const extent = { ...size, end: afterAll(all, known.end), replaced: known.rows + all.length - size.rows };
  return { written, portions, moved: [], gone, extent };
};

/**
 * Returns the changes of one commit that added a fragment and replaced few rows, as most commits do. The rows at the
 * end of the table are then all changes, and reading them takes a quarter of the time of a search for changes. Returns
 * null if the version may have been made otherwise: only a write adds a fragment.
 */
export const readLastCommit = async (
  inMemory: CachedState,
  table: Table,
  version: number,
  sizing: Promise<Size>,
): Promise<Changes | null> => {
  const { width, extent: known } = inMemory;
  if (version - 1 !== inMemory.version) return null;
  const maxRows = Math.floor(maxNumbersPerQuery / width);
  // The fewer existing rows are read, the sooner the result is there.
  for (const replaced of known.replaced > minReplaced ? [maxReplaced] : [minReplaced, maxReplaced]) {
    const before = Math.max(0, known.rows - replaced);
    const query = table
      .query()
      .offset(before)
      .limit(maxRows)
      .select([...placeColumns, 'deleted', 'vector'])
      .withRowId();
    const added = async (): Promise<number> => (await sizing).rows - before;
    // Both at once: starting each query takes longer than running it.
    const [size, batches] = await Promise.all([sizing, rowsUpTo(query, added)]);
    if (size.fragments - 1 !== known.fragments || size.rows - before > maxRows) return null;
    const changes = changesIn(batches, inMemory, size);
    if (changes !== null) return changes;
  }
  return null;
};

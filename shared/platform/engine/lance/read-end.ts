import type { Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { columnOf } from './decode-rows.ts';
import { type Place, placeColumns, placesOf, type Portion, portionsOf, startSharing } from './resident-places.ts';
import { afterAll, type Extent, isFragment, leastReplaced, type Size } from './table-extent.ts';

/** Cached state of a table. */
export interface Known {
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
  readonly portions: AsyncIterable<Portion> | Iterable<Portion>;
  /** Rows whose address in the table has changed. */
  readonly moved: readonly Place[];
  readonly gone: readonly string[];
  readonly extent: Extent;
}

/** Numbers that are read while a query waits for them. */
export const soonNumbers = 4_000_000;
/** Maximum of replaced rows for which only the end of a table is read. */
const mostReplaced = 32;

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
const changesIn = (batches: readonly RecordBatch[], { width, extent: known }: Known, size: Size): Changes | null => {
  const all: Place[] = [];
  const [written, portions, gone]: [Place[], Portion[], string[]] = [[], [], []];
  const sharing = startSharing();
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
    portions.push(...portionsOf(batch, width, (at) => found[at] ?? null));
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
export const readLastFragment = async (
  inMemory: Known,
  table: Table,
  version: number,
  sizing: Promise<Size>,
): Promise<Changes | null> => {
  const { width, extent: known } = inMemory;
  if (version - 1 !== inMemory.version) return null;
  const mostRows = Math.floor(soonNumbers / width);
  // The fewer existing rows are read, the sooner the result is there.
  for (const replaced of known.replaced > leastReplaced ? [mostReplaced] : [leastReplaced, mostReplaced]) {
    const before = Math.max(0, known.rows - replaced);
    const query = table
      .query()
      .offset(before)
      .limit(mostRows)
      .select([...placeColumns, 'deleted', 'vector'])
      .withRowId();
    const added = async (): Promise<number> => (await sizing).rows - before;
    // Both at once: starting each query takes longer than running it.
    const [size, batches] = await Promise.all([sizing, rowsUpTo(query, added)]);
    if (size.fragments - 1 !== known.fragments || size.rows - before > mostRows) return null;
    const changes = changesIn(batches, inMemory, size);
    if (changes !== null) return changes;
  }
  return null;
};

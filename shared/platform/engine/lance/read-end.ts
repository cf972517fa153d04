import type { Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { columnOf } from './decode-rows.ts';
import { type Place, placeColumns, placesOf, type Portion, portionsOf, startSharing } from './resident-places.ts';
import { afterAll, type Extent, isFragment, leastReplaced, type Size } from './table-extent.ts';

/** What is in memory of a table. */
export interface Known {
  readonly width: number;
  readonly places: readonly Place[];
  /** Where the row of an id stands. */
  readonly byId: ReadonlyMap<string, number>;
  /** Of this version; none while it changes. */
  readonly version: number | null;
  readonly extent: Extent;
}

/** What has become of rows between two versions. */
export interface Changes {
  readonly written: readonly Place[];
  /** The written rows with their vectors, as they come; fewer where a row came without. */
  readonly portions: AsyncIterable<Portion> | Iterable<Portion>;
  /** Rows that stand elsewhere in the table by now. */
  readonly moved: readonly Place[];
  readonly gone: readonly string[];
  readonly extent: Extent;
}

/** Numbers that are read for a question which waits for them. */
export const soonNumbers = 4_000_000;
/** Rows in whose place others came, at most, where the end of a table is read alone. */
const mostReplaced = 32;

/** Rows that a query gives, up to so many: whether there are more takes the engine as long to say as to hand some on. */
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

/** What rows at the end of a table tell that it did not have before; null where these are not one fragment as a whole. */
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
 * The changes of one commit that has added a fragment and replaced few rows, as most do: what stands at the end of the table
 * is all of them, and is there in a quarter of the time that a search for it takes. Null where they are not known to be that.
 * Of all that makes a version, writing alone leaves a fragment more than before.
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
  // The fewer are read that were there before, the sooner it is there.
  for (const replaced of known.replaced > leastReplaced ? [mostReplaced] : [leastReplaced, mostReplaced]) {
    const before = Math.max(0, known.rows - replaced);
    const query = table
      .query()
      .offset(before)
      .limit(mostRows)
      .select([...placeColumns, 'deleted', 'vector'])
      .withRowId();
    const added = async (): Promise<number> => (await sizing).rows - before;
    // Both at once: each of them takes longer to be handed on than to be worked out.
    const [size, batches] = await Promise.all([sizing, rowsUpTo(query, added)]);
    if (size.fragments - 1 !== known.fragments || size.rows - before > mostRows) return null;
    const changes = changesIn(batches, inMemory, size);
    if (changes !== null) return changes;
  }
  return null;
};

import type { Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import { columnOf } from '../decode-rows.ts';
import type { Condition } from '../narrow-filter.ts';
import { live } from '../read-layers.ts';

/** Cached rows that match filters, remembered until a row changes. */
export interface FilterCache {
  /**
   * Returns the positions of the matching rows, ascending. Null if the engine should search: the first time a filter
   * may match many rows, because listing all of them takes the engine longer than finding the nearest.
   * @param table Handle at the cached version.
   */
  readonly of: (condition: Condition, table: Table) => Promise<Int32Array | null>;
  /** Clears all results, because rows are about to change. */
  readonly clear: () => void;
}

/** Memory for the filters of one table. The positions of any single filter fit. */
const maxBytes = 4_500_000;

/** Bytes of a filter, which may list a thousand values, with the positions of the matching rows. */
const bytesOf = (key: string, places: number): number => 300 + key.length + places * Int32Array.BYTES_PER_ELEMENT;

/** Rows that the engine lists as fast as it finds the nearest of them. */
const fewRows = 5_000;

const readPlaces = async (
  table: Table,
  where: string,
  byId: ReadonlyMap<string, number>,
): Promise<Int32Array | null> => {
  const places: number[] = [];
  for await (const batch of table.query().where(`(${where}) AND ${live}`).select(['id'])) {
    const id = columnOf<string>(batch, 'id');
    for (let at = 0; at < batch.numRows; at += 1) {
      const place = byId.get(id(at));
      // Rows have changed meanwhile.
      if (place === undefined) return null;
      places.push(place);
    }
  }
  return Int32Array.from(places).toSorted();
};

type Kept = LRUCache<string, Promise<Int32Array | null>>;

const queriedOnce = Promise.resolve(null);

/** @param byId Position of the cached row of an id. */
export const filterCache = (byId: ReadonlyMap<string, number>): FilterCache => {
  const open = (): Kept => new LRUCache({ maxSize: maxBytes });
  let current = open();
  const read = async (kept: Kept, key: string, where: string, table: Table): Promise<Int32Array | null> => {
    const reading = readPlaces(table, where, byId);
    kept.set(key, reading, { size: bytesOf(key, 0) });
    const places = await reading.catch(() => null);
    if (kept.peek(key) === reading) {
      // The cache computes the size of an entry only when it is added.
      kept.delete(key);
      if (places !== null) kept.set(key, reading, { size: bytesOf(key, places.length) });
    }
    return reading;
  };
  return {
    of: async ({ filter, narrowed }, table) => {
      // A result for a query that began before rows changed is not kept for later queries.
      const kept = current;
      const key = JSON.stringify(filter);
      const known = kept.get(key);
      if (known !== undefined && known !== queriedOnce) return known;
      const { where, maxMatches: most } = await narrowed();
      if (known === queriedOnce || most <= fewRows) return read(kept, key, where, table);
      kept.set(key, queriedOnce, { size: bytesOf(key, 0) });
      return null;
    },
    clear: () => {
      current = open();
    },
  };
};

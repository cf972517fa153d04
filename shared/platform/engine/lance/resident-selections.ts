import type { Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import type { Filter } from '../filter-tree.ts';
import { columnOf } from './decode-rows.ts';
import { narrowFilter } from './narrow-filter.ts';
import { live } from './read-layers.ts';

/** Which rows in memory satisfy filters, remembered for as long as no row changes. */
export interface Selections {
  /**
   * The places of the rows that match, ascending; null where the engine is better asked: the first time, because to name
   * all of many rows takes it longer than to find the nearest.
   * @param table Stands on the version that is in memory.
   */
  readonly of: (filter: Filter, table: Table) => Promise<Int32Array | null>;
  /** Forgets all, since rows are about to change. */
  readonly clear: () => void;
}

/** What all filters of one table may take: the places of any one of them find room. */
const mostBytes = 4_500_000;

/** What a filter takes, which may list a thousand values, with the places of the rows that match. */
const bytesOf = (key: string, places: number): number => 100 + key.length + places * Int32Array.BYTES_PER_ELEMENT;

const readPlaces = async (
  table: Table,
  filter: Filter,
  byId: ReadonlyMap<string, number>,
): Promise<Int32Array | null> => {
  const where = `(${await narrowFilter(table, filter)}) AND ${live}`;
  const places: number[] = [];
  for await (const batch of table.query().where(where).select(['id'])) {
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

const askedOnce = Promise.resolve(null);

/** @param byId Where the row of an id stands in memory. */
export const openSelections = (byId: ReadonlyMap<string, number>): Selections => {
  const kept = new LRUCache<string, Promise<Int32Array | null>>({ maxSize: mostBytes });
  const read = async (key: string, filter: Filter, table: Table): Promise<Int32Array | null> => {
    const reading = readPlaces(table, filter, byId);
    kept.set(key, reading, { size: bytesOf(key, 0) });
    const places = await reading.catch(() => null);
    if (kept.peek(key) === reading) {
      // The cache weighs nothing anew that it has already.
      kept.delete(key);
      if (places !== null) kept.set(key, reading, { size: bytesOf(key, places.length) });
    }
    return reading;
  };
  return {
    of: async (filter, table) => {
      const key = JSON.stringify(filter);
      const known = kept.get(key);
      if (known === askedOnce) return read(key, filter, table);
      if (known === undefined) kept.set(key, askedOnce, { size: bytesOf(key, 0) });
      return known ?? null;
    },
    clear: () => kept.clear(),
  };
};

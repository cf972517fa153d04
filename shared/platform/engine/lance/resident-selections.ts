import type { Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import { columnOf } from './decode-rows.ts';
import type { Condition } from './narrow-filter.ts';
import { live } from './read-layers.ts';

/** Which rows in memory satisfy filters, remembered for as long as no row changes. */
export interface Selections {
  /**
   * The places of the rows that match, ascending; null where the engine is better asked: for a filter that many rows may
   * match the first time, because to name all of them takes it longer than to find the nearest.
   * @param table Stands on the version that is in memory.
   */
  readonly of: (condition: Condition, table: Table) => Promise<Int32Array | null>;
  /** Forgets all, since rows are about to change. */
  readonly clear: () => void;
}

/** What all filters of one table may take: the places of any one of them find room. */
const mostBytes = 4_500_000;

/** What a filter takes, which may list a thousand values, with the places of the rows that match. */
const bytesOf = (key: string, places: number): number => 300 + key.length + places * Int32Array.BYTES_PER_ELEMENT;

/** Rows that the engine names as fast as it finds the nearest of them. */
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

const askedOnce = Promise.resolve(null);

/** @param byId Where the row of an id stands in memory. */
export const openSelections = (byId: ReadonlyMap<string, number>): Selections => {
  const open = (): Kept => new LRUCache({ maxSize: mostBytes });
  let current = open();
  const read = async (kept: Kept, key: string, where: string, table: Table): Promise<Int32Array | null> => {
    const reading = readPlaces(table, where, byId);
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
    of: async ({ filter, narrowed }, table) => {
      // What is found for a question that began before rows changed is kept for nobody who comes after.
      const kept = current;
      const key = JSON.stringify(filter);
      const known = kept.get(key);
      if (known !== undefined && known !== askedOnce) return known;
      const { where, most } = await narrowed();
      if (known === askedOnce || most <= fewRows) return read(kept, key, where, table);
      kept.set(key, askedOnce, { size: bytesOf(key, 0) });
      return null;
    },
    clear: () => {
      current = open();
    },
  };
};

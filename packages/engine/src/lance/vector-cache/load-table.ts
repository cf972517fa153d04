import type { Table } from '@lancedb/lancedb';
import type { LRUCache } from 'lru-cache';
import { memoizePerOwner } from '../../../../../shared/kernel/memoize.ts';
import type { Unchanged } from '../../port.ts';
import { vectorBytesOf, capacityFor } from '../../in-memory-search/vector-search.ts';
import { live } from '../read-layers.ts';
import { type VectorSettings, type CachedTableRows, loadRows } from './cached-table.ts';
import { paddedDimensions } from '../../padded-dimensions.ts';
import { versionOf } from '../table-version.ts';

/** A table that a query reads. */
export interface RequestedTable {
  /** Handle that is fixed at one version. */
  readonly table: Table;
  /** Name of the table, with its database. */
  readonly name: string;
  /**
   * Whether the version is final, as for an ancestor of a branch. Other tables are followed from version to version.
   */
  readonly pinned: boolean;
  readonly shape: VectorSettings;
  /** Versions between which no row has changed, and a function that opens the last of them. Null if none are known. */
  readonly unchanged: (Unchanged & { readonly open: () => Promise<Table> }) | null;
}

/** Update of cached rows to another version. */
export interface CatchUp {
  /** Resolves when the update is done, or when it turns out to be long. */
  readonly soon: Promise<void>;
  readonly end: Promise<void>;
}

/** Cache entry of a table that is loaded or being loaded. */
export interface CacheEntry {
  rows: CachedTableRows | null;
  /** Set while the next version is being read. */
  catchUp: CatchUp | null;
  /** Whether that update is long. */
  isBehind: boolean;
}

/** Cache entry of a loaded table. */
export interface LoadedTable {
  readonly key: string;
  readonly entry: CacheEntry;
  readonly rows: CachedTableRows;
}

/** State of the vector cache. */
export interface CacheState {
  readonly maxBytes: number;
  readonly tables: LRUCache<string, CacheEntry>;
  /** Number of queries for each table that is not loaded. */
  readonly queryCounts: LRUCache<string, number>;
  /** Versions that the engine searches better. They are not tried again. */
  readonly uncacheable: WeakSet<Table>;
}

/**
 * Numbers of a table per query before the table is loaded. Loading takes about as long as that many queries to the
 * engine, so little is lost if no further query follows.
 */
const numbersPerQuery = 1_000_000;
/** Bytes of a row besides its vector. */
const rowBytes = 350;

const countLive = memoizePerOwner(async (table: Table) => ({ rows: await table.countRows(live) }));

/** Returns the memory that rows take. Null if the engine searches them better. */
export const bytesOf = (rows: number, { dimensions, metric }: VectorSettings): number | null => {
  const bytes = rows === 0 ? null : vectorBytesOf({ rows, width: paddedDimensions(dimensions), metric });
  return bytes === null ? null : bytes + rows * rowBytes;
};

/**
 * Returns the memory that rows take, and the rows for which there is capacity. Null if they do not fit, or if the
 * engine searches them better.
 */
const capacityOf = ({ maxBytes }: CacheState, rows: number, shape: VectorSettings) => {
  const bytes = bytesOf(rows, shape);
  if (bytes === null || bytes > maxBytes) return null;
  const most = capacityFor(rows, paddedDimensions(shape.dimensions));
  return { bytes, room: Math.min(most, Math.floor((rows * maxBytes) / bytes)) };
};

/** Returns whether a table has been queried often enough. */
const isQueriedOften = async ({ table, shape }: RequestedTable, count: number): Promise<boolean> =>
  count * numbersPerQuery >= (await countLive(table)).rows * paddedDimensions(shape.dimensions);

/** Returns whether a table is still cached: it may have been evicted or reloaded. */
export const isCached = ({ tables }: CacheState, { key, entry }: Pick<LoadedTable, 'key' | 'entry'>): boolean =>
  tables.peek(key) === entry;

/** Loads a table into the cache once it has been queried often enough. */
export const loadTable = async (
  cache: CacheState,
  key: string,
  asked: RequestedTable,
  count: number,
): Promise<void> => {
  const { tables, queryCounts, uncacheable } = cache;
  const { table, shape } = asked;
  if (!(await isQueriedOften(asked, count))) return;
  const [{ rows }, { version }] = await Promise.all([countLive(table), versionOf(table)]);
  const taken = capacityOf(cache, rows, shape);
  if (taken === null) {
    uncacheable.add(table);
    return;
  }
  const entry: CacheEntry = { rows: null, catchUp: null, isBehind: false };
  tables.set(key, entry, { size: taken.bytes });
  // An evicted table is loaded again after as many queries.
  queryCounts.delete(key);
  const isWanted = (): boolean => isCached(cache, { key, entry });
  try {
    entry.rows = await loadRows(table, { version, rows, room: taken.room }, shape, isWanted);
    if (entry.rows === null) uncacheable.add(table);
  } finally {
    if (entry.rows === null && isWanted()) tables.delete(key);
  }
};

/**
 * Recalibrates the search after the rows have outgrown the last calibration. Reloads a table whose rows the
 * quantization codes no longer distinguish.
 */
export const recalibrate = async (cache: CacheState, known: LoadedTable): Promise<void> => {
  const isWanted = (): boolean => isCached(cache, known);
  if ((await known.rows.measure(isWanted)) || !isWanted()) return;
  cache.tables.delete(known.key);
  cache.queryCounts.set(known.key, Number.POSITIVE_INFINITY);
};

/**
 * Finds the new addresses of rows that compaction has moved, while the cache goes on serving. If that fails, the table
 * is reloaded after as many queries.
 */
const findMovedRows = async (cache: CacheState, known: LoadedTable, table: Table): Promise<void> => {
  const isWanted = (): boolean => isCached(cache, known);
  await known.rows.settle(table, isWanted).catch(() => {
    if (isWanted()) cache.tables.delete(known.key);
  });
};

/**
 * Moves cached rows to the last of the versions between which no row has changed, if they are at another of them.
 * @param version The version that the query reads.
 */
export const moveToUnchanged = async (
  cache: CacheState,
  known: LoadedTable,
  { unchanged }: RequestedTable,
  version: number,
): Promise<void> => {
  const { rows: kept } = known;
  const before = kept.version() ?? version;
  if (unchanged === null || unchanged.to > version || before < unchanged.from || before >= unchanged.to) return;
  const table = await unchanged.open();
  await kept.moveOn(table, unchanged.to);
  void findMovedRows(cache, known, table);
};

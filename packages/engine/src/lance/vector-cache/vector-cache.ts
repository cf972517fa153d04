import { LRUCache } from 'lru-cache';
import { minuteMs } from '../../../../../shared/kernel/durations.ts';
import {
  type RequestedTable,
  bytesOf,
  type LoadedTable,
  type CatchUp,
  isCached,
  loadTable,
  recalibrate,
  moveToUnchanged,
  type CacheEntry,
  type CacheState,
} from './load-table.ts';
import type { CachedTableRows } from './cached-table.ts';
import type { VectorCacheTable } from '../search-table.ts';
import { versionOf } from '../table-version.ts';

/** Minimum number of queries before a table is loaded. */
const minQueries = 2;
/** Tables whose queries are counted. */
const maxCountedTables = 10_000;
/** A table without queries for this time is evicted. */
const idleMs = 5 * minuteMs;

/** Vector cache: tables whose rows one process keeps in memory. */
export interface VectorCache {
  /**
   * Returns the cached rows of a table, if they are loaded. Each query counts: a table with enough queries is loaded
   * while the engine serves them. Loaded rows follow the queried versions. A query waits for a few new rows; while many
   * are read, the engine serves it.
   */
  readonly of: (asked: RequestedTable) => Promise<VectorCacheTable | null>;
  /**
   * Updates the cached rows of a table to the requested version, however long that takes. Does not count as a query.
   */
  readonly follow: (asked: RequestedTable) => Promise<void>;
  /** Number of tables in the cache. */
  readonly loaded: () => number;
  /** Returns whether a table is being loaded. */
  readonly isLoading: () => boolean;
}

/** Updates cached rows to a version, first across the versions that only maintenance has made. */
const followFrom = async (
  cache: CacheState,
  known: LoadedTable,
  asked: RequestedTable,
  onMany: () => void,
): ReturnType<CachedTableRows['follow']> => {
  const { table } = asked;
  const { version } = await versionOf(table);
  // If maintenance has removed them meanwhile, all changes are searched for.
  await moveToUnchanged(cache, known, asked, version).catch(() => undefined);
  return known.rows.version() === version ? 'there' : known.rows.follow(table, version, onMany);
};

const follow = async (
  cache: CacheState,
  known: LoadedTable,
  asked: RequestedTable,
  onMany: () => void,
): Promise<void> => {
  const { tables, queryCounts, uncacheable } = cache;
  const { key, entry, rows: kept } = known;
  const { table, shape } = asked;
  const end = await followFrom(cache, known, asked, onMany).catch(() => 'broken' as const);
  // An entry that was evicted meanwhile is not added again.
  if (isCached(cache, known)) {
    // The cache computes the size of an entry only when it is added.
    tables.delete(key);
    const bytes = end === 'there' ? bytesOf(kept.count(), shape) : null;
    if (bytes !== null) tables.set(key, entry, { size: bytes });
  }
  // If rows cannot be followed, the engine serves the table and reports its errors.
  if (end === 'unfit') uncacheable.add(table);
  // Rows with as many queries as these are worth loading again at once.
  if (end === 'full') queryCounts.set(key, Number.POSITIVE_INFINITY);
};

/** Starts updating cached rows to the requested version. */
const startCatchUp = (cache: CacheState, known: LoadedTable, asked: RequestedTable): CatchUp => {
  const { entry } = known;
  const { promise: soon, resolve } = Promise.withResolvers<void>();
  const onMany = (): void => {
    entry.isBehind = true;
    resolve();
  };
  const end = follow(cache, known, asked, onMany).finally(() => {
    entry.catchUp = null;
    entry.isBehind = false;
    resolve();
  });
  return { soon, end };
};

/** Returns the rows of a cached table at the requested version. */
const rowsAtVersion = async (
  cache: CacheState,
  known: LoadedTable,
  asked: RequestedTable,
): Promise<VectorCacheTable | null> => {
  const { entry, rows: kept } = known;
  const { version } = await versionOf(asked.table);
  for (let rows = kept.of(version); ; rows = kept.of(version)) {
    if (rows !== null) return rows;
    const isPast = (kept.version() ?? version) > version;
    const isLost = isPast || entry.isBehind || !isCached(cache, known);
    if (isLost) return null;
    await (entry.catchUp ??= startCatchUp(cache, known, asked)).soon;
  }
};

/** Updates a cached table to the requested version, even if that takes long. */
const followToEnd = async (cache: CacheState, asked: RequestedTable): Promise<void> => {
  const { name: key } = asked;
  const entry = cache.tables.peek(key);
  if (!entry?.rows) return;
  await rowsAtVersion(cache, { key, entry, rows: entry.rows }, asked);
  await entry.catchUp?.end;
};

/**
 * Creates the vector cache.
 * @param maxBytes Memory for all tables together. The least recently queried are evicted.
 */
export const vectorCache = (maxBytes: number): VectorCache => {
  const tables = new LRUCache<string, CacheEntry>({
    maxSize: maxBytes,
    ttl: idleMs,
    updateAgeOnGet: true,
    ttlAutopurge: true,
  });
  const cache: CacheState = {
    maxBytes,
    tables,
    queryCounts: new LRUCache({ max: maxCountedTables }),
    uncacheable: new WeakSet(),
  };
  let reading = false;

  /** Loads one table after the other. */
  const begin = async (read: () => Promise<void>): Promise<void> => {
    if (reading) return;
    reading = true;
    try {
      await read();
    } catch {
      // The engine serves the table meanwhile and reports its errors. Interrupted loading, as when the function was
      // frozen, starts again after as many queries.
    } finally {
      reading = false;
    }
  };

  return {
    of: async (asked) => {
      const { table, name, pinned } = asked;
      const key = pinned ? `${name}@${(await versionOf(table)).version}` : name;
      const entry = tables.get(key);
      if (entry !== undefined) {
        const { rows } = entry;
        if (rows === null) return null;
        const known = { key, entry, rows };
        if (rows.isOutgrown()) void begin(() => recalibrate(cache, known));
        return rowsAtVersion(cache, known, asked);
      }
      if (cache.uncacheable.has(table)) return null;
      const count = (cache.queryCounts.get(key) ?? 0) + 1;
      cache.queryCounts.set(key, count);
      if (count >= minQueries) void begin(() => loadTable(cache, key, asked, count));
      return null;
    },
    follow: (asked) => followToEnd(cache, asked),
    loaded: () => [...tables.values()].filter(({ rows: kept }) => kept !== null).length,
    isLoading: () => reading,
  };
};

import { LRUCache } from 'lru-cache';
import { minuteMs } from '../../../kernel/durations.ts';
import {
  type AskedTable,
  bytesOf,
  type Known,
  type Following,
  isThere,
  load,
  measure,
  moveOn,
  type Resident,
  type Residents,
} from './load-resident.ts';
import type { KeptRows } from './resident-rows.ts';
import type { ResidentTable } from './search-table.ts';
import { versionOf } from './table-version.ts';

/** Minimum number of queries before a table is loaded. */
const fewestQuestions = 2;
/** Tables whose queries are counted. */
const mostCounted = 10_000;
/** A table without queries for this time is evicted. */
const keptMs = 5 * minuteMs;

/** Vector cache: tables whose rows one process keeps in memory. */
export interface ResidentTables {
  /**
   * Returns the cached rows of a table, if they are loaded. Each query counts: a table with enough queries is loaded
   * while the engine serves them. Loaded rows follow the queried versions. A query waits for a few new rows; while many
   * are read, the engine serves it.
   */
  readonly of: (asked: AskedTable) => Promise<ResidentTable | null>;
  /**
   * Updates the cached rows of a table to the requested version, however long that takes. Does not count as a query.
   */
  readonly follow: (asked: AskedTable) => Promise<void>;
  /** Number of tables in the cache. */
  readonly loaded: () => number;
  /** Returns whether a table is being loaded. */
  readonly isReading: () => boolean;
}

/** Updates cached rows to a version, first across the versions that only maintenance has made. */
const followFrom = async (
  residents: Residents,
  known: Known,
  asked: AskedTable,
  onMany: () => void,
): ReturnType<KeptRows['follow']> => {
  const { table } = asked;
  const { version } = await versionOf(table);
  // If maintenance has removed them meanwhile, all changes are searched for.
  await moveOn(residents, known, asked, version).catch(() => undefined);
  return known.kept.version() === version ? 'there' : known.kept.follow(table, version, onMany);
};

const follow = async (residents: Residents, known: Known, asked: AskedTable, onMany: () => void): Promise<void> => {
  const { tables, questions, left } = residents;
  const { key, resident, kept } = known;
  const { table, shape } = asked;
  const end = await followFrom(residents, known, asked, onMany).catch(() => 'broken' as const);
  // An entry that was evicted meanwhile is not added again.
  if (isThere(residents, known)) {
    // The cache computes the size of an entry only when it is added.
    tables.delete(key);
    const bytes = end === 'there' ? bytesOf(kept.count(), shape) : null;
    if (bytes !== null) tables.set(key, resident, { size: bytes });
  }
  // If rows cannot be followed, the engine serves the table and reports its errors.
  if (end === 'unfit') left.add(table);
  // Rows with as many queries as these are worth loading again at once.
  if (end === 'full') questions.set(key, Number.POSITIVE_INFINITY);
};

/** Starts updating cached rows to the requested version. */
const beginToFollow = (residents: Residents, known: Known, asked: AskedTable): Following => {
  const { resident } = known;
  const { promise: soon, resolve } = Promise.withResolvers<void>();
  const onMany = (): void => {
    resident.isBehind = true;
    resolve();
  };
  const end = follow(residents, known, asked, onMany).finally(() => {
    resident.following = null;
    resident.isBehind = false;
    resolve();
  });
  return { soon, end };
};

/** Returns the rows of a cached table at the requested version. */
const followed = async (residents: Residents, known: Known, asked: AskedTable): Promise<ResidentTable | null> => {
  const { resident, kept } = known;
  const { version } = await versionOf(asked.table);
  for (let rows = kept.of(version); ; rows = kept.of(version)) {
    if (rows !== null) return rows;
    const isPast = (kept.version() ?? version) > version;
    const isLost = isPast || resident.isBehind || !isThere(residents, known);
    if (isLost) return null;
    await (resident.following ??= beginToFollow(residents, known, asked)).soon;
  }
};

/** Updates a cached table to the requested version, even if that takes long. */
const followToEnd = async (residents: Residents, asked: AskedTable): Promise<void> => {
  const { name: key } = asked;
  const resident = residents.tables.peek(key);
  if (!resident?.kept) return;
  await followed(residents, { key, resident, kept: resident.kept }, asked);
  await resident.following?.end;
};

/**
 * Creates the vector cache.
 * @param maxBytes Memory for all tables together. The least recently queried are evicted.
 */
export const residentTables = (maxBytes: number): ResidentTables => {
  const tables = new LRUCache<string, Resident>({
    maxSize: maxBytes,
    ttl: keptMs,
    updateAgeOnGet: true,
    ttlAutopurge: true,
  });
  const residents: Residents = {
    maxBytes,
    tables,
    questions: new LRUCache({ max: mostCounted }),
    left: new WeakSet(),
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
      const resident = tables.get(key);
      if (resident !== undefined) {
        const { kept } = resident;
        if (kept === null) return null;
        const known = { key, resident, kept };
        if (kept.isOutgrown()) void begin(() => measure(residents, known));
        return followed(residents, known, asked);
      }
      if (residents.left.has(table)) return null;
      const count = (residents.questions.get(key) ?? 0) + 1;
      residents.questions.set(key, count);
      if (count >= fewestQuestions) void begin(() => load(residents, key, asked, count));
      return null;
    },
    follow: (asked) => followToEnd(residents, asked),
    loaded: () => [...tables.values()].filter(({ kept }) => kept !== null).length,
    isReading: () => reading,
  };
};

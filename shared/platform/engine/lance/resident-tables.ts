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

/** Questions for a table after which it is read into memory at the earliest. */
const fewestQuestions = 2;
/** Tables whose questions are counted. */
const mostCounted = 10_000;
/** A table that nobody has asked for so long makes way. */
const keptMs = 5 * minuteMs;

/** Tables that one process holds in memory. */
export interface ResidentTables {
  /**
   * The rows of a table, where they are in memory. Each question counts: a table that is asked often enough is read into
   * memory, while the engine goes on answering. What is there follows the versions that are asked: a few rows that were
   * written since are waited for; while many are read, the engine answers.
   */
  readonly of: (asked: AskedTable) => Promise<ResidentTable | null>;
  /** Brings what is in memory of a table to the version that is asked, however long that takes; it counts for no question. */
  readonly follow: (asked: AskedTable) => Promise<void>;
  /** How many tables are in memory. */
  readonly loaded: () => number;
  /** Whether one is being read into memory. */
  readonly isReading: () => boolean;
}

/** Brings memory to a version, at first over those that maintenance alone has made. */
const followFrom = async (
  residents: Residents,
  known: Known,
  asked: AskedTable,
  onMany: () => void,
): ReturnType<KeptRows['follow']> => {
  const { table } = asked;
  const { version } = await versionOf(table);
  // Where maintenance has removed them meanwhile, all changes are looked for.
  await moveOn(residents, known, asked, version).catch(() => undefined);
  return known.kept.version() === version ? 'there' : known.kept.follow(table, version, onMany);
};

const follow = async (residents: Residents, known: Known, asked: AskedTable, onMany: () => void): Promise<void> => {
  const { tables, questions, left } = residents;
  const { key, resident, kept } = known;
  const { table, shape } = asked;
  const end = await followFrom(residents, known, asked, onMany).catch(() => 'broken' as const);
  // One that went meanwhile does not come back.
  if (isThere(residents, known)) {
    // The cache weighs nothing anew that it has already.
    tables.delete(key);
    const bytes = end === 'there' ? bytesOf(kept.count(), shape) : null;
    if (bytes !== null) tables.set(key, resident, { size: bytes });
  }
  // Of what could not follow, the engine goes on answering, and says itself what is wrong with a table.
  if (end === 'unfit') left.add(table);
  // Rows that are asked as often as these are worth the reading of all of them.
  if (end === 'full') questions.set(key, Number.POSITIVE_INFINITY);
};

/** Begins to bring memory to the version that is asked. */
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

/** The rows of a table that is in memory, as of the version that is asked. */
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

/** Brings a table that is in memory to the version that is asked, also where that takes long. */
const followToEnd = async (residents: Residents, asked: AskedTable): Promise<void> => {
  const { name: key } = asked;
  const resident = residents.tables.peek(key);
  if (!resident?.kept) return;
  await followed(residents, { key, resident, kept: resident.kept }, asked);
  await resident.following?.end;
};

/** @param maxBytes Memory for all tables together; those that were asked longest ago make way. */
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

  /** One table after the other. */
  const begin = async (read: () => Promise<void>): Promise<void> => {
    if (reading) return;
    reading = true;
    try {
      await read();
    } catch {
      // The engine goes on answering, and says itself what is wrong with a table. What broke off, as where the function was
      // frozen meanwhile, is begun anew after as many questions.
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

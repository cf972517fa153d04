import type { Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import { oncePer } from '../../../kernel/made-once.ts';
import { minuteMs } from '../../../kernel/durations.ts';
import { residentBytesOf, roomFor } from '../resident/resident-vectors.ts';
import { live } from './read-layers.ts';
import { type Comparing, type KeptRows, loadRows } from './resident-rows.ts';
import type { ResidentRows } from './search-table.ts';
import { paddedDimensions } from './table-schema.ts';

/** A table that is asked. */
export interface AskedTable {
  /** It stands on one version. */
  readonly table: Table;
  /** Its name, with the database that it is of. */
  readonly name: string;
  /** Whether it stands on this version for good, as an ancestor of a branch; others are followed from version to version. */
  readonly pinned: boolean;
  readonly shape: Comparing;
}

/** Tables that one process holds in memory. */
export interface ResidentTables {
  /**
   * The rows of a table, where they are in memory. Each question counts: a table that is asked often enough is read into
   * memory, while the engine goes on answering. What is there follows the versions that are asked: a few rows that were
   * written since are waited for; while many are read, the engine answers.
   */
  readonly of: (asked: AskedTable) => Promise<ResidentRows | null>;
  /** How many tables are in memory. */
  readonly loaded: () => number;
}

/** A table in memory, or on its way there. */
interface Resident {
  kept: KeptRows | null;
  /** Done when the next version is there, or when it is clear that this takes long. */
  following: Promise<void> | null;
  /** Whether it takes long. */
  isBehind: boolean;
}

/** A table in memory. */
interface Known {
  readonly key: string;
  readonly resident: Resident;
  readonly kept: KeptRows;
}

/** What loading and following tables needs. */
interface Residents {
  readonly maxBytes: number;
  readonly tables: LRUCache<string, Resident>;
  /** Questions for those that are not there. */
  readonly questions: LRUCache<string, number>;
  /** Versions that are better left to the engine are not tried again. */
  readonly left: WeakSet<Table>;
}

/**
 * Numbers of a table for each question that it takes until the table is read into memory: reading takes about as long as so
 * many questions to the engine, so whoever asks no more has lost little.
 */
const numbersPerQuestion = 1_000_000;
const fewestQuestions = 2;
/** Tables whose questions are counted. */
const mostCounted = 10_000;
/** What a row takes besides its vector. */
const placeBytes = 350;
/** A table that nobody has asked for so long makes way. */
const keptMs = 5 * minuteMs;

const countLive = oncePer(async (table: Table) => ({ rows: await table.countRows(live) }));
const versionOf = oncePer(async (table: Table) => ({ version: await table.version() }));

/** What rows take in memory; null where they are better left to the engine. */
const bytesOf = (rows: number, { dimensions, metric }: Comparing): number | null => {
  const bytes = rows === 0 ? null : residentBytesOf({ rows, width: paddedDimensions(dimensions), metric });
  return bytes === null ? null : bytes + rows * placeBytes;
};

const load = async (residents: Residents, key: string, { table, shape }: AskedTable, count: number): Promise<void> => {
  const { maxBytes, tables, questions, left } = residents;
  const [{ rows }, { version }] = await Promise.all([countLive(table), versionOf(table)]);
  if (count * numbersPerQuestion < rows * paddedDimensions(shape.dimensions)) return;
  const bytes = bytesOf(rows, shape);
  if (bytes === null || bytes > maxBytes) {
    left.add(table);
    return;
  }
  const resident: Resident = { kept: null, following: null, isBehind: false };
  tables.set(key, resident, { size: bytes });
  // One that has to make way is read again once it has been asked as often again.
  questions.delete(key);
  const room = Math.min(roomFor(rows), Math.floor((rows * maxBytes) / bytes));
  const isWanted = (): boolean => tables.peek(key) === resident;
  try {
    resident.kept = await loadRows(table, { version, rows, room }, shape, isWanted);
    if (resident.kept === null) left.add(table);
  } finally {
    if (resident.kept === null && isWanted()) tables.delete(key);
  }
};

const follow = async (
  { tables, questions, left }: Residents,
  { key, resident, kept }: Known,
  { table, shape }: AskedTable,
  onMany: () => void,
): Promise<void> => {
  const { version } = await versionOf(table);
  const end = await kept.follow(table, version, onMany).catch(() => 'broken' as const);
  // One that went meanwhile does not come back.
  if (tables.peek(key) === resident) {
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

/** Begins to bring memory to the version that is asked; done when it is there or when it is clear that this takes long. */
const beginToFollow = (residents: Residents, known: Known, asked: AskedTable): Promise<void> => {
  const { resident } = known;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onMany = (): void => {
    resident.isBehind = true;
    resolve();
  };
  void follow(residents, known, asked, onMany).finally(() => {
    resident.following = null;
    resident.isBehind = false;
    resolve();
  });
  return promise;
};

/** The rows of a table that is in memory, as of the version that is asked. */
const followed = async (residents: Residents, known: Known, asked: AskedTable): Promise<ResidentRows | null> => {
  const { key, resident, kept } = known;
  const { version } = await versionOf(asked.table);
  for (let rows = kept.of(version); ; rows = kept.of(version)) {
    if (rows !== null) return rows;
    const isPast = (kept.version() ?? version) > version;
    const isLost = isPast || resident.isBehind || residents.tables.peek(key) !== resident;
    if (isLost) return null;
    await (resident.following ??= beginToFollow(residents, known, asked));
  }
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
  let loading = false;

  const begin = async (key: string, asked: AskedTable, count: number): Promise<void> => {
    loading = true;
    try {
      await load(residents, key, asked, count);
    } catch {
      // The engine goes on answering, and says itself what is wrong with a table. What broke off, as where the function was
      // frozen meanwhile, is begun anew after as many questions.
    } finally {
      loading = false;
    }
  };

  return {
    of: async (asked) => {
      const { table, name, pinned } = asked;
      const key = pinned ? `${name}@${(await versionOf(table)).version}` : name;
      const resident = tables.get(key);
      if (resident !== undefined) {
        const { kept } = resident;
        return kept === null ? null : followed(residents, { key, resident, kept }, asked);
      }
      if (residents.left.has(table)) return null;
      const count = (residents.questions.get(key) ?? 0) + 1;
      residents.questions.set(key, count);
      if (count >= fewestQuestions && !loading) void begin(key, asked, count);
      return null;
    },
    loaded: () => [...tables.values()].filter(({ kept }) => kept !== null).length,
  };
};

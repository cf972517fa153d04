import type { Table } from '@lancedb/lancedb';
import type { LRUCache } from 'lru-cache';
import { oncePer } from '../../../kernel/made-once.ts';
import { residentBytesOf, roomFor } from '../resident/resident-vectors.ts';
import { live } from './read-layers.ts';
import { type Comparing, isTight, type KeptRows, loadRows } from './resident-rows.ts';
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

/** Rows in memory on their way to another version. */
export interface Following {
  /** Done when they are there, or when it is clear that this takes long. */
  readonly soon: Promise<void>;
  readonly end: Promise<void>;
}

/** A table in memory, or on its way there. */
export interface Resident {
  kept: KeptRows | null;
  /** While the next version is on its way. */
  following: Following | null;
  /** Whether it takes long. */
  isBehind: boolean;
  /** Whether it has been given more room, or that was tried, because it has little left. */
  isEnlarged: boolean;
  /** As it was asked last. */
  table: Table;
}

/** A table in memory. */
export interface Known {
  readonly key: string;
  readonly resident: Resident;
  readonly kept: KeptRows;
}

/** What loading and following tables needs. */
export interface Residents {
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
/** What a row takes besides its vector. */
const placeBytes = 350;

const countLive = oncePer(async (table: Table) => ({ rows: await table.countRows(live) }));
/** The version on which a table stands for good. */
export const versionOf = oncePer(async (table: Table) => ({ version: await table.version() }));

/** What rows take in memory; null where they are better left to the engine. */
export const bytesOf = (rows: number, { dimensions, metric }: Comparing): number | null => {
  const bytes = rows === 0 ? null : residentBytesOf({ rows, width: paddedDimensions(dimensions), metric });
  return bytes === null ? null : bytes + rows * placeBytes;
};

const newResident = (table: Table): Resident => ({
  kept: null,
  following: null,
  isBehind: false,
  isEnlarged: false,
  table,
});

/** What so many rows take in memory, and for how many there is room; null where they find none, or are left to the engine. */
const roomOf = ({ maxBytes }: Residents, rows: number, shape: Comparing, takenBytes: number) => {
  const bytes = bytesOf(rows, shape);
  const fits = bytes !== null && takenBytes + bytes <= maxBytes;
  return fits ? { bytes, room: Math.min(roomFor(rows), Math.floor((rows * maxBytes) / bytes)) } : null;
};

/** Whether a table has been asked often enough. */
const isWorthIt = async ({ table, shape }: AskedTable, count: number): Promise<boolean> =>
  count * numbersPerQuestion >= (await countLive(table)).rows * paddedDimensions(shape.dimensions);

/** Reads a table into memory once so many questions for it are enough. */
export const load = async (residents: Residents, key: string, asked: AskedTable, count: number): Promise<void> => {
  const { tables, questions, left } = residents;
  const { table, shape } = asked;
  if (!(await isWorthIt(asked, count))) return;
  const [{ rows }, { version }] = await Promise.all([countLive(table), versionOf(table)]);
  const taken = roomOf(residents, rows, shape, 0);
  if (taken === null) {
    left.add(table);
    return;
  }
  const resident = newResident(table);
  tables.set(key, resident, { size: taken.bytes });
  // One that has to make way is read again once it has been asked as often again.
  questions.delete(key);
  const isWanted = (): boolean => tables.peek(key) === resident;
  try {
    resident.kept = await loadRows(table, { version, rows, room: taken.room }, shape, isWanted);
    if (resident.kept === null) left.add(table);
  } finally {
    if (resident.kept === null && isWanted()) tables.delete(key);
  }
};

/** Brings rows that nobody asks yet to the version that others are asked for; false where they could not be. */
const catchUp = async (rows: KeptRows, resident: Resident): Promise<boolean> => {
  for (;;) {
    const { table } = resident;
    const { version } = await versionOf(table);
    if ((rows.version() ?? version) >= version) return true;
    if ((await rows.follow(table, version, () => undefined)) !== 'there') return false;
  }
};

/** Gives a table more room, beside what is in memory of it and answers meanwhile, where both find room. */
export const enlarge = async (
  residents: Residents,
  { key, resident, kept }: Known,
  { shape }: AskedTable,
): Promise<void> => {
  const { tables, questions } = residents;
  // While memory changes there is nothing to copy; the next question tries again.
  if (kept.version() === null) return;
  resident.isEnlarged = true;
  const taken = roomOf(residents, kept.count(), shape, tables.calculatedSize);
  if (taken === null || isTight(kept.count(), taken.room)) return;
  const next = newResident(resident.table);
  const isWanted = (): boolean => {
    const there = tables.peek(key);
    // Where the former one found no room meanwhile, this one is wanted the more.
    return there === next || (next.kept === null && (there === resident || there === undefined));
  };
  const enlarged = await kept.enlarge(taken.room, isWanted);
  if (enlarged === null || !(await catchUp(enlarged, resident)) || !isWanted()) return;
  next.kept = enlarged;
  tables.set(key, next, { size: taken.bytes });
  questions.delete(key);
};

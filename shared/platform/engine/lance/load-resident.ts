import type { Table } from '@lancedb/lancedb';
import type { LRUCache } from 'lru-cache';
import { memoizePerOwner } from '../../../kernel/memoize.ts';
import type { Unchanged } from '../port.ts';
import { residentBytesOf, roomFor } from '../resident/resident-vectors.ts';
import { live } from './read-layers.ts';
import { type Comparing, type KeptRows, loadRows } from './resident-rows.ts';
import { paddedDimensions } from './table-schema.ts';
import { versionOf } from './table-version.ts';

/** A table that is asked. */
export interface AskedTable {
  /** It stands on one version. */
  readonly table: Table;
  /** Its name, with the database that it is of. */
  readonly name: string;
  /** Whether it stands on this version for good, as an ancestor of a branch; others are followed from version to version. */
  readonly pinned: boolean;
  readonly shape: Comparing;
  /** Versions between which no row has changed, and how to open the last of them; null where none are known. */
  readonly unchanged: (Unchanged & { readonly open: () => Promise<Table> }) | null;
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

const countLive = memoizePerOwner(async (table: Table) => ({ rows: await table.countRows(live) }));

/** What rows take in memory; null where they are better left to the engine. */
export const bytesOf = (rows: number, { dimensions, metric }: Comparing): number | null => {
  const bytes = rows === 0 ? null : residentBytesOf({ rows, width: paddedDimensions(dimensions), metric });
  return bytes === null ? null : bytes + rows * placeBytes;
};

/** What so many rows take in memory, and for how many there is room; null where they find none, or are left to the engine. */
const roomOf = ({ maxBytes }: Residents, rows: number, shape: Comparing) => {
  const bytes = bytesOf(rows, shape);
  if (bytes === null || bytes > maxBytes) return null;
  const most = roomFor(rows, paddedDimensions(shape.dimensions));
  return { bytes, room: Math.min(most, Math.floor((rows * maxBytes) / bytes)) };
};

/** Whether a table has been asked often enough. */
const isWorthIt = async ({ table, shape }: AskedTable, count: number): Promise<boolean> =>
  count * numbersPerQuestion >= (await countLive(table)).rows * paddedDimensions(shape.dimensions);

/** Whether a table is still among those in memory: one that made way, or is read anew, is not. */
export const isThere = ({ tables }: Residents, { key, resident }: Pick<Known, 'key' | 'resident'>): boolean =>
  tables.peek(key) === resident;

/** Reads a table into memory once so many questions for it are enough. */
export const load = async (residents: Residents, key: string, asked: AskedTable, count: number): Promise<void> => {
  const { tables, questions, left } = residents;
  const { table, shape } = asked;
  if (!(await isWorthIt(asked, count))) return;
  const [{ rows }, { version }] = await Promise.all([countLive(table), versionOf(table)]);
  const taken = roomOf(residents, rows, shape);
  if (taken === null) {
    left.add(table);
    return;
  }
  const resident: Resident = { kept: null, following: null, isBehind: false };
  tables.set(key, resident, { size: taken.bytes });
  // One that has to make way is read again once it has been asked as often again.
  questions.delete(key);
  const isWanted = (): boolean => isThere(residents, { key, resident });
  try {
    resident.kept = await loadRows(table, { version, rows, room: taken.room }, shape, isWanted);
    if (resident.kept === null) left.add(table);
  } finally {
    if (resident.kept === null && isWanted()) tables.delete(key);
  }
};

/** Measures rows anew that have outgrown what was measured; those that sketches do not tell apart any more are read anew. */
export const measure = async (residents: Residents, known: Known): Promise<void> => {
  const isWanted = (): boolean => isThere(residents, known);
  if ((await known.kept.measure(isWanted)) || !isWanted()) return;
  residents.tables.delete(known.key);
  residents.questions.set(known.key, Number.POSITIVE_INFINITY);
};

/** Finds where rows stand that maintenance has moved, while memory answers; what fails is read anew once it is asked as often again. */
const settle = async (residents: Residents, known: Known, table: Table): Promise<void> => {
  const isWanted = (): boolean => isThere(residents, known);
  await known.kept.settle(table, isWanted).catch(() => {
    if (isWanted()) residents.tables.delete(known.key);
  });
};

/**
 * Has memory stand on the last of the versions between which no row has changed, where it stands on another of them.
 * @param version That which is asked.
 */
export const moveOn = async (
  residents: Residents,
  known: Known,
  { unchanged }: AskedTable,
  version: number,
): Promise<void> => {
  const { kept } = known;
  const before = kept.version() ?? version;
  if (unchanged === null || unchanged.to > version || before < unchanged.from || before >= unchanged.to) return;
  const table = await unchanged.open();
  await kept.moveOn(table, unchanged.to);
  void settle(residents, known, table);
};

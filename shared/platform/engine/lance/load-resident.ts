import type { Table } from '@lancedb/lancedb';
import type { LRUCache } from 'lru-cache';
import { memoizePerOwner } from '../../../kernel/memoize.ts';
import type { Unchanged } from '../port.ts';
import { residentBytesOf, roomFor } from '../resident/resident-vectors.ts';
import { live } from './read-layers.ts';
import { type Comparing, type KeptRows, loadRows } from './resident-rows.ts';
import { paddedDimensions } from './table-schema.ts';
import { versionOf } from './table-version.ts';

/** A table that a query reads. */
export interface AskedTable {
  /** Handle that is fixed at one version. */
  readonly table: Table;
  /** Name of the table, with its database. */
  readonly name: string;
  /**
   * Whether the version is final, as for an ancestor of a branch. Other tables are followed from version to version.
   */
  readonly pinned: boolean;
  readonly shape: Comparing;
  /** Versions between which no row has changed, and a function that opens the last of them. Null if none are known. */
  readonly unchanged: (Unchanged & { readonly open: () => Promise<Table> }) | null;
}

/** Update of cached rows to another version. */
export interface Following {
  /** Resolves when the update is done, or when it turns out to be long. */
  readonly soon: Promise<void>;
  readonly end: Promise<void>;
}

/** Cache entry of a table that is loaded or being loaded. */
export interface Resident {
  kept: KeptRows | null;
  /** Set while the next version is being read. */
  following: Following | null;
  /** Whether that update is long. */
  isBehind: boolean;
}

/** Cache entry of a loaded table. */
export interface Known {
  readonly key: string;
  readonly resident: Resident;
  readonly kept: KeptRows;
}

/** State of the vector cache. */
export interface Residents {
  readonly maxBytes: number;
  readonly tables: LRUCache<string, Resident>;
  /** Number of queries for each table that is not loaded. */
  readonly questions: LRUCache<string, number>;
  /** Versions that the engine searches better. They are not tried again. */
  readonly left: WeakSet<Table>;
}

/**
 * Numbers of a table per query before the table is loaded. Loading takes about as long as that many queries to the
 * engine, so little is lost if no further query follows.
 */
const numbersPerQuestion = 1_000_000;
/** Bytes of a row besides its vector. */
const placeBytes = 350;

const countLive = memoizePerOwner(async (table: Table) => ({ rows: await table.countRows(live) }));

/** Returns the memory that rows take. Null if the engine searches them better. */
export const bytesOf = (rows: number, { dimensions, metric }: Comparing): number | null => {
  const bytes = rows === 0 ? null : residentBytesOf({ rows, width: paddedDimensions(dimensions), metric });
  return bytes === null ? null : bytes + rows * placeBytes;
};

/**
 * Returns the memory that rows take, and the rows for which there is capacity. Null if they do not fit, or if the
 * engine searches them better.
 */
const roomOf = ({ maxBytes }: Residents, rows: number, shape: Comparing) => {
  const bytes = bytesOf(rows, shape);
  if (bytes === null || bytes > maxBytes) return null;
  const most = roomFor(rows, paddedDimensions(shape.dimensions));
  return { bytes, room: Math.min(most, Math.floor((rows * maxBytes) / bytes)) };
};

/** Returns whether a table has been queried often enough. */
const isWorthIt = async ({ table, shape }: AskedTable, count: number): Promise<boolean> =>
  count * numbersPerQuestion >= (await countLive(table)).rows * paddedDimensions(shape.dimensions);

/** Returns whether a table is still cached: it may have been evicted or reloaded. */
export const isThere = ({ tables }: Residents, { key, resident }: Pick<Known, 'key' | 'resident'>): boolean =>
  tables.peek(key) === resident;

/** Loads a table into the cache once it has been queried often enough. */
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
  // An evicted table is loaded again after as many queries.
  questions.delete(key);
  const isWanted = (): boolean => isThere(residents, { key, resident });
  try {
    resident.kept = await loadRows(table, { version, rows, room: taken.room }, shape, isWanted);
    if (resident.kept === null) left.add(table);
  } finally {
    if (resident.kept === null && isWanted()) tables.delete(key);
  }
};

/**
 * Recalibrates the search after the rows have outgrown the last calibration. Reloads a table whose rows the
 * quantization codes no longer distinguish.
 */
export const measure = async (residents: Residents, known: Known): Promise<void> => {
  const isWanted = (): boolean => isThere(residents, known);
  if ((await known.kept.measure(isWanted)) || !isWanted()) return;
  residents.tables.delete(known.key);
  residents.questions.set(known.key, Number.POSITIVE_INFINITY);
};

/**
 * Finds the new addresses of rows that compaction has moved, while the cache goes on serving. If that fails, the table
 * is reloaded after as many queries.
 */
const settle = async (residents: Residents, known: Known, table: Table): Promise<void> => {
  const isWanted = (): boolean => isThere(residents, known);
  await known.kept.settle(table, isWanted).catch(() => {
    if (isWanted()) residents.tables.delete(known.key);
  });
};

/**
 * Moves cached rows to the last of the versions between which no row has changed, if they are at another of them.
 * @param version The version that the query reads.
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

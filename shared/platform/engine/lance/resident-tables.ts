import type { Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import { oncePer } from '../../../kernel/made-once.ts';
import { minuteMs } from '../../../kernel/durations.ts';
import { residentBytesOf } from '../resident/resident-vectors.ts';
import { live } from './read-layers.ts';
import { type Comparing, loadRows } from './resident-rows.ts';
import type { ResidentRows } from './search-table.ts';
import { paddedDimensions } from './table-schema.ts';

/** Tables that one process holds in memory. */
export interface ResidentTables {
  /**
   * The rows of a table that stands on one version, where they are in memory. Each question counts: a table that is asked
   * often enough is read into memory, while the engine goes on answering.
   */
  readonly of: (table: Table, shape: Comparing) => ResidentRows | null;
  /** How many tables are in memory. */
  readonly loaded: () => number;
}

/** A table in memory, or on its way there. */
interface Resident {
  readonly bytes: number;
  rows: ResidentRows | null;
}

/**
 * Numbers of a table for each question that it takes until the table is read into memory: reading takes about as long as so
 * many questions to the engine, so whoever asks no more has lost little.
 */
const numbersPerQuestion = 1_000_000;
const fewestQuestions = 2;
/** What a row takes besides its vector. */
const placeBytes = 250;
/** A table that nobody has asked for so long makes way, also one of which a newer version is asked. */
const keptMs = 5 * minuteMs;

const countLive = oncePer(async (table: Table) => ({ rows: await table.countRows(live) }));

const keepResidents = (maxBytes: number): LRUCache<Table, Resident> =>
  new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: keptMs,
    updateAgeOnGet: true,
    ttlAutopurge: true,
  });

/** What a table takes in memory; null where it is better left to the engine. */
const bytesOf = (rows: number, { dimensions, metric }: Comparing, maxBytes: number): number | null => {
  const vectorBytes = rows === 0 ? null : residentBytesOf({ rows, width: paddedDimensions(dimensions), metric });
  const bytes = (vectorBytes ?? 0) + rows * placeBytes;
  return vectorBytes === null || bytes > maxBytes ? null : bytes;
};

/** @param maxBytes Memory for all tables together; those that were asked longest ago make way. */
export const residentTables = (maxBytes: number): ResidentTables => {
  const residents = keepResidents(maxBytes);
  const questions = new WeakMap<Table, number>();
  // Those that are better left to the engine are not tried again.
  const left = new WeakSet<Table>();
  let loading = false;

  const load = async (table: Table, shape: Comparing, asked: number): Promise<void> => {
    const { rows } = await countLive(table);
    if (asked * numbersPerQuestion < rows * paddedDimensions(shape.dimensions)) return;
    const bytes = bytesOf(rows, shape, maxBytes);
    if (bytes === null) {
      left.add(table);
      return;
    }
    const resident: Resident = { bytes, rows: null };
    residents.set(table, resident);
    // One that has to make way is read again once it has been asked as often again.
    questions.delete(table);
    resident.rows = await loadRows(table, rows, shape, () => residents.peek(table) === resident);
    if (resident.rows === null && residents.delete(table)) left.add(table);
  };

  const begin = async (table: Table, shape: Comparing, asked: number): Promise<void> => {
    loading = true;
    try {
      await load(table, shape, asked);
    } catch {
      // The engine goes on answering, and says itself what is wrong with a table. What broke off, as where the function was
      // frozen meanwhile, is begun anew after as many questions.
      residents.delete(table);
    } finally {
      loading = false;
    }
  };

  return {
    of: (table, shape) => {
      const resident = residents.get(table);
      if (resident !== undefined) return resident.rows;
      if (left.has(table)) return null;
      const asked = (questions.get(table) ?? 0) + 1;
      questions.set(table, asked);
      if (asked >= fewestQuestions && !loading) void begin(table, shape, asked);
      return null;
    },
    loaded: () => [...residents.values()].filter(({ rows }) => rows !== null).length,
  };
};

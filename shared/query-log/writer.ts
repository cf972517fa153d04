import type { Table } from '../db/contracts.ts';
import { epochSecondsAfter } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import type { IndexRecord } from '../indexes/index.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { laterBy } from '../kernel/clock.ts';
import { dayMs } from '../kernel/durations.ts';
import { batchKey, type Feedback, feedbackKey, type LogEntry, logPartition, newSearchId } from './record.ts';

/** Appends to the logs of searches. */
export interface QueryLogWriter {
  /** Returns the id of a search that is to be logged; null if it is not in the sample, or the index has no log. */
  begin(index: IndexRecord): string | null;
  /**
   * Adds an entry. The first one within two seconds is written at once, and further ones together at their end: a process
   * that ends before loses them. Never throws.
   */
  add(index: IndexRecord, entry: LogEntry): Promise<void>;
  /** Stores feedback on a hit. A repeat changes nothing. */
  addFeedback(index: IndexRecord, feedback: Feedback, key: string): Promise<void>;
}

/** Milliseconds between two writes of a log, and characters of its entries from which they are written at once. */
const [flushMs, maxBatch] = [2_000, 100_000];

/** Entries of an index that wait for their write. */
interface Buffer {
  /** Entries as JSON. */
  entries: string[];
  characters: number;
  /** Id of the first of them. */
  firstId: string;
  index: IndexRecord;
  /** Time before which nothing is written, by `performance.now()`. */
  pausedUntilMs: number;
  timer: NodeJS.Timeout | null;
}

const newBuffer = (index: IndexRecord, pausedUntilMs: number): Buffer => ({
  entries: [],
  characters: 0,
  firstId: '',
  index,
  pausedUntilMs,
  timer: null,
});

/** Returns the TTL of what is written now. */
const expiryOf = ({ queryLog }: IndexRecord, now: Date): number =>
  epochSecondsAfter(laterBy(now, (queryLog?.keepDays ?? 1) * dayMs));

/** Appends an entry to those that wait. */
const appendTo = (buffer: Buffer, index: IndexRecord, entry: LogEntry): void => {
  const text = JSON.stringify(entry);
  if (buffer.entries.length === 0) buffer.firstId = entry.id;
  buffer.entries.push(text);
  buffer.characters += text.length;
  buffer.index = index;
};

/** Returns a function that adds entries to the buffers of a process, and writes those that are full or old enough. */
const openBuffers = (runtime: Runtime, table: Table): QueryLogWriter['add'] => {
  const buffers = new Map<string, Buffer>();
  const flush = async (name: string, { entries, index, timer, firstId }: Buffer): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    // A log that is idle leaves nothing in memory.
    if (entries.length === 0) {
      buffers.delete(name);
      return;
    }
    buffers.set(name, newBuffer(index, performance.now() + flushMs));
    const item = { pk: name, sk: batchKey(firstId), expires_at_epoch: expiryOf(index, runtime.clock.now()) };
    try {
      await table.put({ ...item, entries: `[${entries.join(',')}]` });
    } catch (error) {
      runtime.log.warn('query_log.write.failed', { index_id: index.id, entries: entries.length, error });
    }
  };
  return async (index, entry) => {
    const name = logPartition(index);
    const buffer = buffers.get(name) ?? newBuffer(index, 0);
    appendTo(buffer, index, entry);
    buffers.set(name, buffer);
    const waitMs = buffer.pausedUntilMs - performance.now();
    if (waitMs <= 0 || buffer.characters >= maxBatch) {
      await flush(name, buffer);
      return;
    }
    buffer.timer ??= setTimeout(() => {
      const current = buffers.get(name);
      if (current !== undefined) void flush(name, current);
    }, waitMs).unref();
  };
};

const openQueryLogWriter = (runtime: Runtime): QueryLogWriter => {
  const table = openTable(runtime, 'evaluations');
  return {
    begin: (index) => {
      if (index.queryLog === null || Math.random() >= index.queryLog.sample) return null;
      return newSearchId(index, runtime.clock.now());
    },
    add: openBuffers(runtime, table),
    addFeedback: async (index, feedback, key) => {
      const item = { pk: logPartition(index), sk: feedbackKey(feedback), key };
      await table.put({ ...item, expires_at_epoch: expiryOf(index, runtime.clock.now()) });
    },
  };
};

export const queryLogAppend = capability<QueryLogWriter>(['query_log.append'], openQueryLogWriter);

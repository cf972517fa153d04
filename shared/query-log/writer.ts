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

/** Milliseconds between two writes of a log, and entries that are written together at most. */
const [flushMs, maxBatch] = [2_000, 200];

/** Entries of an index that wait for their write. */
interface Buffer {
  entries: LogEntry[];
  index: IndexRecord;
  /** Time before which nothing is written, by `performance.now()`. */
  pausedUntilMs: number;
  timer: NodeJS.Timeout | null;
}

const openQueryLogWriter = (runtime: Runtime): QueryLogWriter => {
  const table = openTable(runtime, 'evaluations');
  const buffers = new Map<string, Buffer>();
  const expiryOf = ({ queryLog }: IndexRecord): number =>
    epochSecondsAfter(laterBy(runtime.clock.now(), (queryLog?.keepDays ?? 1) * dayMs));
  const flush = async (name: string, buffer: Buffer): Promise<void> => {
    const { entries, index, timer } = buffer;
    if (timer !== null) clearTimeout(timer);
    // A log that is idle leaves nothing in memory.
    if (entries.length === 0) {
      buffers.delete(name);
      return;
    }
    buffers.set(name, { ...buffer, entries: [], timer: null, pausedUntilMs: performance.now() + flushMs });
    const item = { pk: logPartition(index), sk: batchKey(entries), expires_at_epoch: expiryOf(index) };
    try {
      await table.put({ ...item, entries: JSON.stringify(entries) });
    } catch (error) {
      runtime.log.warn('query_log.write.failed', { index_id: index.id, entries: entries.length, error });
    }
  };
  return {
    begin: (index) => {
      if (index.queryLog === null || Math.random() >= index.queryLog.sample) return null;
      return newSearchId(index, runtime.clock.now());
    },
    add: async (index, entry) => {
      const name = logPartition(index);
      const known = buffers.get(name);
      const buffer = known ?? { entries: [], index, pausedUntilMs: 0, timer: null };
      buffer.entries.push(entry);
      buffer.index = index;
      buffers.set(name, buffer);
      const waitMs = buffer.pausedUntilMs - performance.now();
      if (waitMs <= 0 || buffer.entries.length >= maxBatch) {
        await flush(name, buffer);
        return;
      }
      buffer.timer ??= setTimeout(() => {
        const current = buffers.get(name);
        if (current !== undefined) void flush(name, current);
      }, waitMs).unref();
    },
    addFeedback: async (index, feedback, key) => {
      const sk = feedbackKey(feedback);
      await table.put({ pk: logPartition(index), sk, key, expires_at_epoch: expiryOf(index) });
    },
  };
};

export const queryLogAppend = capability<QueryLogWriter>(['query_log.append'], openQueryLogWriter);

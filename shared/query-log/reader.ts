import { openTable } from '../db/table.ts';
import type { IndexRecord } from '../indexes/index.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { laterBy } from '../kernel/clock.ts';
import { dayMs } from '../kernel/durations.ts';
import {
  batchesFrom,
  entriesOf,
  type Feedback,
  feedbackAt,
  feedbackPrefix,
  batchPrefix,
  type LogEntry,
  logPartition,
  timeOfSearch,
} from './record.ts';

/** Entries of a log with the feedback on each. */
export interface ReadLog {
  readonly entries: readonly LogEntry[];
  readonly feedback: ReadonlyMap<string, readonly Feedback[]>;
}

/** Entries and feedback that are read, newest first. They bound the work of a request. */
const [maxEntries, maxFeedback] = [20_000, 20_000];

/** Reads the logs of searches. */
export interface QueryLogReader {
  /** Returns the newest entries of the last days, which are not older than the settings of the index allow. */
  read(index: IndexRecord, days: number): Promise<ReadLog>;
}

const openQueryLogReader = (runtime: Runtime): QueryLogReader => {
  const table = openTable(runtime, 'evaluations');
  return {
    read: async (index, days) => {
      if (index.queryLog === null) return { entries: [], feedback: new Map() };
      const pk = logPartition(index);
      const now = runtime.clock.now();
      const kept = Math.min(days, index.queryLog.keepDays);
      const oldest = laterBy(now, -kept * dayMs);
      const from = batchesFrom(oldest);
      const entries: LogEntry[] = [];
      for await (const item of table.all(pk, { prefix: batchPrefix, newestFirst: true })) {
        if (item.sk < from || entries.length >= maxEntries) break;
        entries.push(...entriesOf(item).filter(({ id }) => timeOfSearch(id) >= oldest));
      }
      const feedback: Feedback[] = [];
      for await (const { sk } of table.all(pk, { prefix: feedbackPrefix, newestFirst: true })) {
        if (feedback.length >= maxFeedback) break;
        feedback.push(feedbackAt(sk));
      }
      return { entries: entries.slice(0, maxEntries), feedback: Map.groupBy(feedback, ({ searchId }) => searchId) };
    },
  };
};

export const queryLogRead = capability<QueryLogReader>(['evaluations.read'], openQueryLogReader);

import type { Condition } from '../db/condition.ts';
import type { Table } from '../db/contracts.ts';
import { dayMs } from '../kernel/durations.ts';
import { newId, timeOf } from '../kernel/ids.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { plans } from '../kernel/plans.ts';

/** Ids of one span of time, some twelve days, begin alike; the letters of a time beyond are 32 each. */
const spanMs = 32 ** 6;
const timeLetters = 10 - 6;
const spansAtOnce = 8;

const longestMs = Math.max(...Object.values(plans).map(({ limits }) => limits.event_retention_days)) * dayMs;

const prefixOf = (span: number): string => newId('evt', new Date(span * spanMs)).slice(0, 'evt_'.length + timeLetters);

/**
 * Counts the events of a partition that are older than one, many spans of time at once: a table gives some thousand events
 * a request, and one request after the other a long history would take longer than a caller waits.
 */
export const countOlder = async (
  table: Table,
  pk: string,
  where: Condition,
  { after, now }: { readonly after: string; readonly now: Date },
): Promise<number> => {
  const newest = Math.floor(timeOf(after).getTime() / spanMs);
  const oldest = Math.floor((now.getTime() - longestMs) / spanMs);
  const spans = Array.from({ length: Math.max(0, newest - oldest) + 1 }, (_, back) => newest - back);
  const counts = await inParallel(spans, spansAtOnce, (span) => {
    const options = { prefix: prefixOf(span), newestFirst: true, where };
    return table.count(pk, span === newest ? { ...options, after } : options);
  });
  return counts.reduce((sum, count) => sum + count, 0);
};

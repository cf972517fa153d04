import type { Condition } from '../db/condition.ts';
import type { Table } from '../db/contracts.ts';
import { dayMs } from '../kernel/durations.ts';
import { newId, timeOf } from '../kernel/ids.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { plans } from '../kernel/plans.ts';

/** Span of about twelve days, in which all ids share a prefix. Each letter of a ULID's time has 32 values. */
const spanMs = 32 ** 6;
const timeLetters = 10 - 6;
const maxConcurrency = 8;

const maxRetentionMs = Math.max(...Object.values(plans).map(({ limits }) => limits.event_retention_days)) * dayMs;

const prefixOf = (span: number): string => newId('evt', new Date(span * spanMs)).slice(0, 'evt_'.length + timeLetters);

/**
 * Counts the events of a partition that are older than one. It counts several spans of time concurrently: a request counts
 * some thousand events, so sequential requests over a long history would exceed the timeout of the caller.
 */
export const countOlder = async (
  table: Table,
  pk: string,
  where: Condition,
  { after, now }: { readonly after: string; readonly now: Date },
): Promise<number> => {
  const newest = Math.floor(timeOf(after).getTime() / spanMs);
  const oldest = Math.floor((now.getTime() - maxRetentionMs) / spanMs);
  const spans = Array.from({ length: Math.max(0, newest - oldest) + 1 }, (_, back) => newest - back);
  const counts = await inParallel(spans, maxConcurrency, (span) => {
    const options = { prefix: prefixOf(span), newestFirst: true, where };
    return table.count(pk, span === newest ? { ...options, after } : options);
  });
  return counts.reduce((sum, count) => sum + count, 0);
};

import { dayMs } from '../kernel/durations.ts';
import { combineUsage, type Holding, nothingHeld, noUsage, type UsageTotals } from './usage-counters.ts';
import type { DayEnd, IndexMonth, UsageReader } from './contracts.ts';
import { dayOf, monthOf } from './items.ts';

/** Figures of an index on one day. */
export interface DayOfIndex extends Omit<Holding, 'originalBytes'> {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  readonly vectorsWritten: number;
  readonly vectorsDeleted: number;
  readonly searches: number;
}

/** Returns the last `days` dates until `now`, oldest first. */
const datesUntil = (now: Date, days: number): readonly string[] =>
  Array.from({ length: days }, (_, at) =>
    new Date(now.getTime() - (days - 1 - at) * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length),
  );

const notBelow = (totals: UsageTotals, before: UsageTotals): UsageTotals => combineUsage(totals, before, Math.max);

/**
 * Returns the stored amounts at the end of each of the last `days` days, and the usage of each day. A day without a change
 * has the amounts of the day before. The computation begins with the first day of the oldest month, for which `start` and
 * `base` are stored.
 * @param held Stored amounts now, used if none of the months has a change.
 */
export const indexHistory = async (
  usage: UsageReader,
  index: { readonly organizationId: string; readonly id: string; readonly createdAt: string },
  held: Holding,
  now: Date,
  days: number,
): Promise<readonly DayOfIndex[]> => {
  const [oldest = ''] = datesUntil(now, days);
  const dates = datesUntil(now, days + Number(dayOf(oldest)) - 1);
  const months = [...new Set(dates.map(monthOf))];
  const entries = await Promise.all(
    months.map(async (month) => [month, await usage.indexMonth(index.organizationId, month, index.id)] as const),
  );
  const byMonth = new Map<string, IndexMonth | null>(entries);
  const first = entries.find(([, month]) => month !== null && month.dayEnds.size > 0)?.[1];
  // Without a change in these months, the amounts are the same throughout.
  let last: DayEnd =
    first === undefined || first === null ? { ...held, totals: noUsage } : { ...first.start, totals: first.base };
  const points = dates.map((date) => {
    const month = byMonth.get(monthOf(date)) ?? null;
    const end = month?.dayEnds.get(dayOf(date));
    const before = last.totals;
    // Totals only grow. A host whose clock is late may have stored newer totals for the day before.
    last = end === undefined ? last : { ...end, totals: notBelow(end.totals, last.totals) };
    const isBorn = end !== undefined || date >= index.createdAt.slice(0, date.length);
    const { vectors, denseBytes, sparseBytes } = isBorn ? last : nothingHeld;
    return {
      date,
      vectors,
      denseBytes,
      sparseBytes,
      vectorsWritten: last.totals.vectors_written - before.vectors_written,
      vectorsDeleted: last.totals.vectors_deleted - before.vectors_deleted,
      searches: month?.daySearches.get(dayOf(date)) ?? 0,
    };
  });
  return points.slice(-days);
};

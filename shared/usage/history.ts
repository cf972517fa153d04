import { type Holding, noUsage } from './account.ts';
import type { DayEnd, IndexMonth, UsageReader } from './contracts.ts';
import { dayOf, monthOf } from './items.ts';

/** One day of an index. */
export interface DayOfIndex extends Holding {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  readonly vectorsWritten: number;
  readonly vectorsDeleted: number;
  readonly searches: number;
}

const dayMs = 86_400_000;

/** The last `days` dates until `now`, oldest first. */
const datesUntil = (now: Date, days: number): readonly string[] =>
  Array.from({ length: days }, (_, at) =>
    new Date(now.getTime() - (days - 1 - at) * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length),
  );

/**
 * What an index held at the end of each of the last `days` days, and what was done to it on each. On a day without a
 * change it holds what it held the day before.
 * @param held What the index holds now, for the days behind its last change.
 */
export const indexHistory = async (
  usage: UsageReader,
  index: { readonly organizationId: string; readonly id: string },
  held: Holding,
  now: Date,
  days: number,
): Promise<readonly DayOfIndex[]> => {
  const dates = datesUntil(now, days);
  const months = [...new Set(dates.map(monthOf))];
  const entries = await Promise.all(
    months.map(async (month) => [month, await usage.indexMonth(index.organizationId, month, index.id)] as const),
  );
  const byMonth = new Map<string, IndexMonth | null>(entries);
  const first = entries.find(([, month]) => month !== null && month.dayEnds.size > 0)?.[1];
  // No change in all these months: it holds what it has held since before them.
  let last: DayEnd =
    first === undefined || first === null ? { ...held, totals: noUsage } : { ...first.start, totals: first.base };
  return dates.map((date) => {
    const month = byMonth.get(monthOf(date)) ?? null;
    const end = month?.dayEnds.get(dayOf(date)) ?? last;
    const written = end.totals.vectors_written - last.totals.vectors_written;
    const deleted = end.totals.vectors_deleted - last.totals.vectors_deleted;
    last = end;
    return {
      date,
      vectors: end.vectors,
      denseBytes: end.denseBytes,
      sparseBytes: end.sparseBytes,
      vectorsWritten: written,
      vectorsDeleted: deleted,
      searches: month?.daySearches.get(dayOf(date)) ?? 0,
    };
  });
};

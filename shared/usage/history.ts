import { dayMs } from '../kernel/durations.ts';
import { timeOf } from '../kernel/ids.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import {
  combineUsage,
  type Holding,
  nothingHeld,
  noUsage,
  type UsageTotals,
  type UsageWithSearches,
} from './usage-counters.ts';
import type { DayEnd, DaySearches, IndexMonth, UsageReader } from './contracts.ts';
import { dayOf, monthAfter, monthOf } from './items.ts';

/** Figures of an index on one day: stored amounts at its end, and usage of the day. */
export interface IndexDay extends Holding {
  readonly indexId: string;
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  /** Usage, with that of searches. */
  readonly used: UsageWithSearches;
  readonly searches: number;
  readonly latencies: DaySearches['latencies'];
}

/** First and last date of a range, inclusive. */
export interface DateRange {
  readonly from: string;
  readonly to: string;
}

/** Maximum months that are read concurrently. */
const readAtOnce = 10;

export const dateOf = (at: Date): string => at.toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Returns the date a number of days later. */
export const addDays = (date: string, days: number): string => dateOf(new Date(Date.parse(date) + days * dayMs));

/** Returns the dates of a range, oldest first; none if it ends before it begins. */
const datesOf = ({ from, to }: DateRange): readonly string[] =>
  Array.from({ length: Math.max(0, (Date.parse(to) - Date.parse(from)) / dayMs + 1) }, (_, at) => addDays(from, at));

const monthsBetween = (first: string, last: string): readonly string[] => {
  const months: string[] = [];
  for (let month = first; month <= last; month = monthAfter(month)) months.push(month);
  return months;
};

const notBelow = (totals: UsageTotals, before: UsageTotals): UsageTotals => combineUsage(totals, before, Math.max);

const subtract = (totals: UsageTotals, before: UsageTotals): UsageTotals =>
  combineUsage(totals, before, (now, then) => now - then);

/**
 * Returns the figures of an index on each date of whole months. A day without a change has the amounts of the day before.
 * @param months Usage by month, in order.
 * @param after Stored amounts after the months.
 * @param range Begins with the first day of the first month, for which `start` and `base` are stored.
 */
export const daysOfIndex = (
  index: { readonly id: string; readonly createdAt: string },
  months: ReadonlyMap<string, IndexMonth | null>,
  after: Holding,
  range: DateRange,
): readonly IndexDay[] => {
  const first = [...months.values()].find((month) => month !== null && month.dayEnds.size > 0);
  // Without a change in these months, the amounts are the same throughout.
  let last: DayEnd =
    first === undefined || first === null ? { ...after, totals: noUsage } : { ...first.start, totals: first.base };
  return datesOf(range).map((date) => {
    const month = months.get(monthOf(date)) ?? null;
    const end = month?.dayEnds.get(dayOf(date));
    const searched = month?.daySearches.get(dayOf(date));
    const before = last.totals;
    // Totals only grow. A host whose clock is late may have stored newer totals for the day before.
    last = end === undefined ? last : { ...end, totals: notBelow(end.totals, last.totals) };
    const isBorn = end !== undefined || date >= index.createdAt.slice(0, date.length);
    const { vectors, denseBytes, sparseBytes, originalBytes } = isBorn ? last : nothingHeld;
    const used = end === undefined ? noUsage : subtract(last.totals, before);
    return {
      indexId: index.id,
      date,
      vectors,
      denseBytes,
      sparseBytes,
      originalBytes,
      used: {
        ...used,
        embedding_tokens: used.embedding_tokens + (searched?.tokens ?? 0),
        rerank_units: searched?.rerankUnits ?? 0,
      },
      searches: searched?.searches ?? 0,
      latencies: searched?.latencies ?? { dense: new Map(), sparse: new Map(), hybrid: new Map() },
    };
  });
};

/**
 * Returns the figures of an index on each day of a range, until today.
 * @param held Stored amounts now.
 */
export const indexHistory = async (
  usage: UsageReader,
  index: { readonly organizationId: string; readonly id: string; readonly createdAt: string },
  held: Holding,
  now: Date,
  { from, to }: DateRange,
): Promise<readonly IndexDay[]> => {
  const today = dateOf(now);
  // No month before the creation has an entry.
  const oldest = [monthOf(from), monthOf(index.createdAt)].toSorted().at(-1) ?? '';
  const entries = await inParallel(
    monthsBetween(oldest, monthOf(today)),
    readAtOnce,
    async (month) => [month, await usage.indexMonth(index.organizationId, month, index.id)] as const,
  );
  const range = { from: `${monthOf(from)}-01`, to: to < today ? to : today };
  return daysOfIndex(index, new Map(entries), held, range).filter(({ date }) => date >= from);
};

/** Figures of indexes together on one day. */
export type DayTotals = Pick<IndexDay, 'date' | 'vectors' | 'denseBytes' | 'sparseBytes' | 'searches'> &
  Pick<UsageTotals, 'vectors_written' | 'vectors_deleted'>;

/**
 * Returns the figures of an organization on each day of a range, until today, deleted indexes included.
 * @param isCounted Selects the indexes that are added up.
 */
export const organizationHistory = async (
  usage: UsageReader,
  organizationId: string,
  now: Date,
  { from, to }: DateRange,
  isCounted: (indexId: string) => boolean,
): Promise<readonly DayTotals[]> => {
  const today = dateOf(now);
  const [{ byIndex }, months] = await Promise.all([
    usage.stored(organizationId),
    inParallel(monthsBetween(monthOf(from), monthOf(today)), readAtOnce, async (month) => {
      const indexes = await usage.month(organizationId, month);
      return [month, new Map(indexes.map((index) => [index.indexId, index]))] as const;
    }),
  ]);
  const range = { from: `${monthOf(from)}-01`, to: to < today ? to : today };
  const noFigures = { vectors: 0, denseBytes: 0, sparseBytes: 0, searches: 0, vectors_written: 0, vectors_deleted: 0 };
  const totals = new Map(datesOf(range).map((date) => [date, { date, ...noFigures }]));
  const ids = new Set([...byIndex.keys(), ...months.flatMap(([, indexes]) => [...indexes.keys()])]);
  for (const id of [...ids].filter(isCounted)) {
    const own = new Map(months.map(([month, indexes]) => [month, indexes.get(id) ?? null]));
    const index = { id, createdAt: timeOf(id).toISOString() };
    for (const day of daysOfIndex(index, own, byIndex.get(id) ?? nothingHeld, range)) {
      const sum = totals.get(day.date);
      if (sum === undefined) continue;
      sum.vectors += day.vectors;
      sum.denseBytes += day.denseBytes;
      sum.sparseBytes += day.sparseBytes;
      sum.searches += day.searches;
      sum.vectors_written += day.used.vectors_written;
      sum.vectors_deleted += day.used.vectors_deleted;
    }
  }
  return [...totals.values()].filter(({ date }) => date >= from);
};

import { dayMs } from '../kernel/durations.ts';
import { timeOf } from '../kernel/ids.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import {
  combineUsage,
  type Holding,
  nothingHeld,
  noUsage,
  sumOfHoldings,
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

const noFigures = { vectors: 0, denseBytes: 0, sparseBytes: 0, searches: 0, vectors_written: 0, vectors_deleted: 0 };

type DayChange = { -readonly [Figure in keyof DayTotals]: DayTotals[Figure] };

/**
 * Adds the usage of an index to each day, and to its amounts their changes since the day before. Days without a change cost
 * nothing, because an organization may have thousands of indexes.
 * @param after Stored amounts now.
 */
const addChanges = (
  days: ReadonlyMap<string, DayChange>,
  { createdAt, first }: { readonly createdAt: string; readonly first: string },
  months: readonly (readonly [month: string, index: IndexMonth])[],
  after: Holding,
): void => {
  const ends = months
    .flatMap(([month, { dayEnds }]) => [...dayEnds].map(([day, end]) => ({ date: `${month}-${day}`, end })))
    .toSorted((one, other) => (one.date < other.date ? -1 : 1));
  for (const [month, { daySearches }] of months)
    for (const [day, { searches }] of daySearches) {
      const sum = days.get(`${month}-${day}`);
      if (sum !== undefined) sum.searches += searches;
    }
  let held = nothingHeld;
  const change = (date: string, next: Holding): DayChange | undefined => {
    const sum = days.get(date);
    if (sum !== undefined) {
      sum.vectors += next.vectors - held.vectors;
      sum.denseBytes += next.denseBytes - held.denseBytes;
      sum.sparseBytes += next.sparseBytes - held.sparseBytes;
    }
    held = next;
    return sum;
  };
  const changed = months.map(([, index]) => index).find(({ dayEnds }) => dayEnds.size > 0);
  const created = createdAt.slice(0, first.length);
  change(created > first ? created : first, changed?.start ?? after);
  let totals: UsageTotals = changed?.base ?? noUsage;
  for (const { date, end } of ends) {
    const sum = change(date, end);
    const next = notBelow(end.totals, totals);
    if (sum !== undefined) {
      sum.vectors_written += next.vectors_written - totals.vectors_written;
      sum.vectors_deleted += next.vectors_deleted - totals.vectors_deleted;
    }
    totals = next;
  }
};

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
  const totals = new Map(datesOf(range).map((date) => [date, { ...noFigures, date }]));
  const ids = new Set([...byIndex.keys(), ...months.flatMap(([, indexes]) => [...indexes.keys()])]);
  for (const id of [...ids].filter(isCounted)) {
    const own = months.flatMap(([month, indexes]) => {
      const found = indexes.get(id);
      return found === undefined ? [] : [[month, found] as const];
    });
    const createdAt = timeOf(id).toISOString();
    addChanges(totals, { createdAt, first: range.from }, own, byIndex.get(id) ?? nothingHeld);
  }
  // So far, the amounts of each day are changes.
  let held = nothingHeld;
  return [...totals.values()]
    .map((day) => {
      held = sumOfHoldings([held, { ...day, originalBytes: 0 }]);
      const { vectors, denseBytes, sparseBytes } = held;
      return { ...day, vectors, denseBytes, sparseBytes };
    })
    .filter(({ date }) => date >= from);
};

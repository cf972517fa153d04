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
import { byteDays } from './byte-days.ts';
import type { IndexMonth, SearchMode, UsageReader } from './contracts.ts';
import { storedFilesId, storedFilesIn } from './stored-files.ts';
import { beginningOf, monthAfter, monthOf } from './items.ts';

/** Usage of an organization, or of some of its indexes, in a calendar month (UTC). */
export interface MonthUsage {
  readonly periodStart: Date;
  /** Exclusive. */
  readonly periodEnd: Date;
  /** Stored amounts at the end of the month, or now for the current month. */
  readonly stored: Holding;
  /** Indexes that held vectors at that time. */
  readonly holders: number;
  /** Dense and sparse bytes, each times the part of the month for which it was stored. */
  readonly byteMonths: number;
  /** The same for original files. */
  readonly originalByteMonths: number;
  readonly used: UsageWithSearches;
  readonly searches: Readonly<Record<SearchMode, number>>;
  readonly fileJobs: number;
}

/** Maximum months that are read concurrently. */
const readAtOnce = 10;

/** Returns the stored amounts of each index after a month: those before its first later change, or those of now. */
export const heldAfter = async (
  usage: UsageReader,
  organizationId: string,
  month: string,
  running: string,
  isCounted: (indexId: string) => boolean,
): Promise<ReadonlyMap<string, Holding>> => {
  const since: string[] = [];
  if (month < running) {
    // There are no changes before the creation of the organization.
    const founded = monthOf(timeOf(organizationId).toISOString());
    const first = month < founded ? founded : monthAfter(month);
    for (let later = first; later <= running; later = monthAfter(later)) since.push(later);
  }
  const [{ byIndex }, befores] = await Promise.all([
    usage.stored(organizationId),
    inParallel(since, readAtOnce, (later) => usage.heldBefore(organizationId, later)),
  ]);
  // The entry of the earliest month wins.
  const held = [byIndex, ...befores.toReversed()].flatMap((entries) => [...entries]);
  return new Map(held.filter(([indexId]) => isCounted(indexId)));
};

/** Reads what is stored of a month. */
const readMonth = async (
  usage: UsageReader,
  organizationId: string,
  now: Date,
  month: string,
  isCounted: (indexId: string) => boolean,
) => {
  const [all, held] = await Promise.all([
    usage.month(organizationId, month),
    heldAfter(usage, organizationId, month, monthOf(now.toISOString()), isCounted),
  ]);
  const periodStart = beginningOf(month);
  const periodEnd = beginningOf(monthAfter(month));
  const daysUntil = (end: Date): number => (end.getTime() - periodStart.getTime()) / dayMs;
  /** Returns amounts of bytes, each times the part of the month for which it was stored. */
  const byteMonthsOf = (
    bytesOf: (holding: Holding) => number,
    indexes: readonly IndexMonth[],
    after: ReadonlyMap<string, Holding>,
  ): number => byteDays(bytesOf, indexes, after, daysUntil(now < periodEnd ? now : periodEnd)) / daysUntil(periodEnd);
  return { indexes: all.filter(({ indexId }) => isCounted(indexId)), held, periodStart, periodEnd, byteMonthsOf };
};

const indexedBytes = ({ denseBytes, sparseBytes }: Holding): number => denseBytes + sparseBytes;

const withSearchUsage = ({ used, searchTokens, rerankUnits }: IndexMonth): UsageWithSearches => ({
  ...used,
  embedding_tokens: used.embedding_tokens + searchTokens,
  rerank_units: rerankUnits,
});

/** Usage of an index in a calendar month (UTC). */
export type IndexUsage = Pick<
  MonthUsage,
  'stored' | 'byteMonths' | 'originalByteMonths' | 'used' | 'searches' | 'fileJobs'
> & { readonly indexId: string };

/** Returns the usage of each index that stored or used something in a month, deleted indexes included. */
export const indexUsages = async (
  usage: UsageReader,
  organizationId: string,
  now: Date,
  month: string,
  isCounted: (indexId: string) => boolean,
): Promise<readonly IndexUsage[]> => {
  const [{ indexes, held, byteMonthsOf }, jobs] = await Promise.all([
    readMonth(usage, organizationId, now, month, isCounted),
    usage.dayFileJobs(organizationId, month),
  ]);
  const changed = new Map(indexes.map((index) => [index.indexId, index]));
  const ids = new Set([...changed.keys(), ...held.keys(), ...[...jobs.keys()].filter(isCounted)]);
  return [...ids].map((indexId) => {
    const index = changed.get(indexId);
    const stored = held.get(indexId) ?? nothingHeld;
    const bytes = (of: (holding: Holding) => number): number =>
      byteMonthsOf(of, index === undefined ? [] : [index], new Map([[indexId, stored]]));
    return {
      indexId,
      stored,
      byteMonths: bytes(indexedBytes),
      originalByteMonths: bytes(({ originalBytes }) => originalBytes),
      used: index === undefined ? { ...noUsage, rerank_units: 0 } : withSearchUsage(index),
      searches: index?.searches ?? { dense: 0, sparse: 0, hybrid: 0 },
      fileJobs:
        jobs
          .get(indexId)
          ?.values()
          .reduce((sum, count) => sum + count, 0) ?? 0,
    };
  });
};

/**
 * Sums the usage of indexes, deleted indexes included.
 * @param month `YYYY-MM`, not after `now`; default: the current month.
 * @param indexIds Indexes to count; null: all of the organization.
 */
export const monthUsage = async (
  usage: UsageReader,
  organizationId: string,
  now: Date,
  month = monthOf(now.toISOString()),
  indexIds: readonly string[] | null = null,
): Promise<MonthUsage> => {
  const isCounted = (indexId: string): boolean => indexIds === null || indexIds.includes(indexId);
  const [{ indexes, held: ofIndexes, periodStart, periodEnd, byteMonthsOf }, fileJobs, files] = await Promise.all([
    readMonth(usage, organizationId, now, month, isCounted),
    indexIds === null
      ? usage.fileJobs(organizationId, month).then((jobs) => [jobs])
      : Promise.all(indexIds.map((id) => usage.indexFileJobs(organizationId, month, id))),
    indexIds === null ? usage.storedFiles(organizationId) : [],
  ]);
  const stored = storedFilesIn(files, month);
  const held = new Map([...ofIndexes, [storedFilesId, stored.after]]);
  const used = indexes.map(withSearchUsage);
  const searched = (mode: SearchMode): number => indexes.reduce((sum, index) => sum + index.searches[mode], 0);
  const bytes = (of: (holding: Holding) => number): number => byteMonthsOf(of, [...indexes, stored.index], held);
  return {
    periodStart,
    periodEnd,
    stored: sumOfHoldings(held.values()),
    holders: [...held.values()].filter(({ vectors }) => vectors > 0).length,
    byteMonths: bytes(indexedBytes),
    originalByteMonths: bytes(({ originalBytes }) => originalBytes),
    used: {
      ...used.reduce<UsageTotals>((sum, each) => combineUsage(sum, each, (a, b) => a + b), noUsage),
      rerank_units: used.reduce((sum, { rerank_units: units }) => sum + units, 0),
    },
    searches: { dense: searched('dense'), sparse: searched('sparse'), hybrid: searched('hybrid') },
    fileJobs: fileJobs.reduce((sum, jobs) => sum + jobs, 0),
  };
};

import { dayMs } from '../kernel/durations.ts';
import { timeOf } from '../kernel/ids.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { combineUsage, type Holding, noUsage, sumOfHoldings, type UsageWithSearches } from './usage-counters.ts';
import { byteDays } from './byte-days.ts';
import type { SearchMode, UsageReader } from './contracts.ts';
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
  const [all, fileJobs, ofIndexes, files] = await Promise.all([
    usage.month(organizationId, month),
    indexIds === null
      ? usage.fileJobs(organizationId, month).then((jobs) => [jobs])
      : Promise.all(indexIds.map((id) => usage.indexFileJobs(organizationId, month, id))),
    heldAfter(usage, organizationId, month, monthOf(now.toISOString()), isCounted),
    indexIds === null ? usage.storedFiles(organizationId) : [],
  ]);
  const stored = storedFilesIn(files, month);
  const held = new Map([...ofIndexes, [storedFilesId, stored.after]]);
  const indexes = all.filter(({ indexId }) => isCounted(indexId));
  const used = indexes.reduce((sum, index) => combineUsage(sum, index.used, (a, b) => a + b), noUsage);
  const tokens = indexes.reduce((sum, { searchTokens }) => sum + searchTokens, 0);
  const rerankUnits = indexes.reduce((sum, index) => sum + index.rerankUnits, 0);
  const searched = (mode: SearchMode): number => indexes.reduce((sum, index) => sum + index.searches[mode], 0);
  const periodStart = beginningOf(month);
  const periodEnd = beginningOf(monthAfter(month));
  const daysUntil = (end: Date): number => (end.getTime() - periodStart.getTime()) / dayMs;
  const byteMonthsOf = (bytesOf: (holding: Holding) => number): number =>
    byteDays(bytesOf, [...indexes, stored.index], held, daysUntil(now < periodEnd ? now : periodEnd)) /
    daysUntil(periodEnd);
  return {
    periodStart,
    periodEnd,
    stored: sumOfHoldings(held.values()),
    holders: [...held.values()].filter(({ vectors }) => vectors > 0).length,
    byteMonths: byteMonthsOf(({ denseBytes, sparseBytes }) => denseBytes + sparseBytes),
    originalByteMonths: byteMonthsOf(({ originalBytes }) => originalBytes),
    used: { ...used, embedding_tokens: used.embedding_tokens + tokens, rerank_units: rerankUnits },
    searches: { dense: searched('dense'), sparse: searched('sparse'), hybrid: searched('hybrid') },
    fileJobs: fileJobs.reduce((sum, jobs) => sum + jobs, 0),
  };
};

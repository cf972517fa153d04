import { dayMs } from '../kernel/durations.ts';
import { combineUsage, type Holding, noUsage, type UsageTotals } from './account.ts';
import { byteDays } from './byte-days.ts';
import type { SearchMode, UsageReader } from './contracts.ts';
import { monthOf } from './items.ts';

/** What an organization has used in the calendar month (UTC) that runs. */
export interface MonthUsage {
  readonly periodStart: Date;
  /** Exclusive. */
  readonly periodEnd: Date;
  readonly stored: Holding;
  /** Bytes that were kept, each times the part of the month for which it was. */
  readonly byteMonths: number;
  readonly used: UsageTotals;
  readonly searches: Readonly<Record<SearchMode, number>>;
  readonly fileJobs: number;
}

/** Adds up the accounts of all indexes, also of those that are gone. */
export const monthUsage = async (usage: UsageReader, organizationId: string, now: Date): Promise<MonthUsage> => {
  const month = monthOf(now.toISOString());
  const [indexes, fileJobs, stored] = await Promise.all([
    usage.month(organizationId, month),
    usage.fileJobs(organizationId, month),
    usage.stored(organizationId),
  ]);
  const used = indexes.reduce((sum, index) => combineUsage(sum, index.used, (a, b) => a + b), noUsage);
  const tokens = indexes.reduce((sum, { searchTokens }) => sum + searchTokens, 0);
  const searched = (mode: SearchMode): number => indexes.reduce((sum, index) => sum + index.searches[mode], 0);
  const periodStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const periodEnd = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  const daysUntil = (end: Date): number => (end.getTime() - periodStart.getTime()) / dayMs;
  return {
    periodStart,
    periodEnd,
    stored,
    byteMonths: byteDays(indexes, stored.byIndex, daysUntil(now)) / daysUntil(periodEnd),
    used: { ...used, embedding_tokens: used.embedding_tokens + tokens },
    searches: { dense: searched('dense'), sparse: searched('sparse'), hybrid: searched('hybrid') },
    fileJobs,
  };
};

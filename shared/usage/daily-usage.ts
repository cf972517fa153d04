import { timeOf } from '../kernel/ids.ts';
import type { UsageReader } from './contracts.ts';
import { type DateRange, dateOf, daysOfIndex, type IndexDay } from './history.ts';
import { dayWithin, monthAfter, monthOf } from './items.ts';
import { heldAfter } from './month-usage.ts';
import { nothingHeld } from './usage-counters.ts';

/** Usage of an index on one day. */
export interface UsageDay extends IndexDay {
  readonly fileJobs: number;
}

/** Sort key of a day: by date, then by index. */
export const usageDayKey = ({ date, indexId }: Pick<IndexDay, 'date' | 'indexId'>): string => `${date} ${indexId}`;

/** Whether an index stored or used anything on a day. */
const hasFigures = ({ vectors, denseBytes, sparseBytes, originalBytes, searches, fileJobs, used }: UsageDay): boolean =>
  [vectors, denseBytes, sparseBytes, originalBytes, searches, fileJobs].some((figure) => figure > 0) ||
  Object.values(used).some((figure) => figure > 0);

/** Returns the days of a month until today on which an index stored or used something, in order. */
const monthDays = async (
  usage: UsageReader,
  organizationId: string,
  month: string,
  now: Date,
  isCounted: (indexId: string) => boolean,
): Promise<readonly UsageDay[]> => {
  const today = dateOf(now);
  const [indexes, fileJobs, held] = await Promise.all([
    usage.month(organizationId, month),
    usage.dayFileJobs(organizationId, month),
    heldAfter(usage, organizationId, month, monthOf(today), isCounted),
  ]);
  const byId = new Map(indexes.map((index) => [index.indexId, index]));
  const end = `${month}-${dayWithin(month, `${monthAfter(month)}-01`)}`;
  const range = { from: `${month}-01`, to: end < today ? end : today };
  return [...new Set([...byId.keys(), ...fileJobs.keys(), ...held.keys()])]
    .filter(isCounted)
    .flatMap((id) => {
      const index = { id, createdAt: timeOf(id).toISOString() };
      const months = new Map([[month, byId.get(id) ?? null]]);
      const jobs = fileJobs.get(id);
      return daysOfIndex(index, months, held.get(id) ?? nothingHeld, range).map((day) => ({
        ...day,
        fileJobs: jobs?.get(day.date.slice('YYYY-MM-'.length)) ?? 0,
      }));
    })
    .filter(hasFigures)
    .toSorted((one, other) => (usageDayKey(one) < usageDayKey(other) ? -1 : 1));
};

/**
 * Returns the usage of indexes by day, deleted indexes included, ordered by date and index. It reads whole months, and stops
 * after the month in which the page ends.
 * @param page `after`: sort key of the last day of the previous page.
 * @returns At least one day more than `page.limit`, unless there are no more.
 */
export const dailyUsage = async (
  usage: UsageReader,
  organizationId: string,
  now: Date,
  { from, to }: DateRange,
  isCounted: (indexId: string) => boolean,
  page: { readonly limit: number; readonly after: string | null },
): Promise<readonly UsageDay[]> => {
  const days: UsageDay[] = [];
  const start = page.after !== null && page.after > from ? page.after : from;
  const last = to < dateOf(now) ? to : dateOf(now);
  for (let month = monthOf(start); month <= monthOf(last) && days.length <= page.limit; month = monthAfter(month)) {
    const found = await monthDays(usage, organizationId, month, now, isCounted);
    days.push(
      ...found.filter(
        (day) => day.date >= from && day.date <= last && (page.after === null || usageDayKey(day) > page.after),
      ),
    );
  }
  return days;
};

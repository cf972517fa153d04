/** Returns the month of a time, `YYYY-MM`. */
export const monthOf = (at: string): string => at.slice(0, 'YYYY-MM'.length);

/** Returns the start of a month. */
export const beginningOf = (month: string): Date => new Date(`${month}-01T00:00:00.000Z`);

export const monthAfter = (month: string): string => {
  const next = beginningOf(month);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return monthOf(next.toISOString());
};

/** Returns the day of the month of a time, two digits. */
export const dayOf = (at: string): string => at.slice('YYYY-MM-'.length, 'YYYY-MM-DD'.length);

/** Returns the day of a month, two digits, that is nearest to a time. */
export const dayWithin = (month: string, at: string): string => {
  if (monthOf(at) === month) return dayOf(at);
  if (monthOf(at) < month) return '01';
  const [year, ordinal] = month.split('-').map(Number);
  return dayOf(new Date(Date.UTC(year ?? 0, ordinal ?? 0, 0)).toISOString());
};

/** Key of the usage of an index in one month. */
export const monthKey = (organizationId: string, month: string, indexId: string) => ({
  pk: `MONTH#${organizationId}#${month}`,
  sk: indexId,
});

export const searchesPrefix = 'SEARCHES#';

/**
 * Key of the searches of an index on one day of a month. They have an item of their own, because an addition costs as much
 * as writing the whole item, and the usage item is many times as large.
 */
export const searchesKey = (organizationId: string, at: string, indexId: string) =>
  monthKey(organizationId, monthOf(at), `${searchesPrefix}${indexId}#${dayOf(at)}`);

/** Key of the file jobs of an organization in one month. */
export const fileJobsKey = (organizationId: string, month: string) => monthKey(organizationId, month, 'FILE_JOBS');

export const indexFileJobsPrefix = 'FILE_JOBS#';

/** Key of the file jobs of one index in one month. */
export const indexFileJobsKey = (organizationId: string, month: string, indexId: string) =>
  monthKey(organizationId, month, `${indexFileJobsPrefix}${indexId}`);

/** Key of the last recall measurement of an index. */
export const recallKey = (organizationId: string, indexId: string) => ({
  pk: `RECALL#${organizationId}`,
  sk: indexId,
});

/** Key of the stored amounts of an index. */
export const holdingKey = (organizationId: string, indexId: string) => ({
  pk: `STORED#${organizationId}`,
  sk: indexId,
});

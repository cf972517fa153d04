import { membersOf, numberOf } from '../db/read-item.ts';
import type { Item, Key, Table } from '../db/contracts.ts';
import { AppError } from '../kernel/errors.ts';
import { type Plan, plans } from '../kernel/plans.ts';
import type { StartedJob, UsageReader } from './contracts.ts';
import { fileJobsKey, indexFileJobsKey, monthOf } from './items.ts';

/** Newest reservations, which are remembered whatever has become of them: a twin of their request may be under way. */
const newest = 100;

/** Reservations between two looks at which of the older ones can be forgotten. */
const betweenLooks = 50;

/**
 * Older reservations that are remembered because their job is not stored: that of a request that died and may be repeated,
 * or a job that was deleted at once. Each of them makes every reservation of the month dearer.
 */
const mostUnstored = 500;

/** A refused addition is decided by reading: the first job of a month, or a month whose last place is contended for. */
const mostRounds = 10;

/** How a reservation is remembered: identifiers sort by age. */
const nameOf = ({ id, indexId }: Pick<StartedJob, 'id' | 'indexId'>): string => `${id} ${indexId}`;

const jobOf = (name: string): Pick<StartedJob, 'id' | 'indexId'> => {
  const [id = '', indexId = ''] = name.split(' ');
  return { id, indexId };
};

/** Forgets reservations whose job is stored, which tells every later repeat that it has been counted. */
const forgetStored = async (table: Table, key: Key, item: Item, isStored: StartedJob['isStored']): Promise<void> => {
  const reserved = [...membersOf(item, 'reserved')].toSorted();
  if (reserved.length < newest + betweenLooks + numberOf(item, 'unstored')) return;
  const older = reserved.slice(0, -newest);
  const stored = await Promise.all(older.map((name) => isStored(jobOf(name))));
  const unstored = new Set(older.filter((_, at) => stored[at] === false).slice(-mostUnstored));
  await table.update(key, {
    set: { unstored: unstored.size },
    exclude: { reserved: older.filter((name) => !unstored.has(name)) },
  });
};

const noFileJobs = (limit: number, current: number): AppError =>
  new AppError('plan_limit_reached', `The plan allows ${limit} file jobs a month`, { fields: { limit, current } });

/** Refuses what only costs where the month of `at` has no file job left; takes none. Throws 402. */
export const requireFileJob = async (
  usage: Pick<UsageReader, 'fileJobs'>,
  { organizationId, plan }: { readonly organizationId: string; readonly plan: Plan },
  at: Date,
): Promise<void> => {
  const limit = plans[plan].limits.file_jobs_per_month;
  const current = await usage.fileJobs(organizationId, monthOf(at.toISOString()));
  if (current >= limit) throw noFileJobs(limit, current);
};

/** Newest jobs that the count of an index remembers: more than one index is sent at a time. */
const maxCounted = 50;

/** Counts a reserved job once in its index, for credentials that see nothing else of the organization. */
const countInIndex = async (table: Table, organizationId: string, { id, indexId, at }: StartedJob): Promise<void> => {
  const key = indexFileJobsKey(organizationId, monthOf(at.toISOString()), indexId);
  const counted = await table.update(key, {
    add: { file_jobs: 1 },
    include: { counted: [id] },
    condition: { counted: { lacks: id } },
  });
  const ids = [...membersOf(counted, 'counted')].toSorted();
  if (ids.length >= 2 * maxCounted) await table.update(key, { exclude: { counted: ids.slice(0, -maxCounted) } });
};

/**
 * Takes one file job from the allowance of the month in which it was started, once for each job. The count and the limit
 * are one condition, so that nobody passes the limit even for a moment and nothing is ever given back. Throws 402.
 */
export const reserveFileJob = async (
  table: Table,
  organizationId: string,
  plan: Plan,
  job: StartedJob,
): Promise<void> => {
  const key = fileJobsKey(organizationId, monthOf(job.at.toISOString()));
  const name = nameOf(job);
  const limit = plans[plan].limits.file_jobs_per_month;
  let hasRoom: { readonly lte: number } | { readonly exists: false } = { lte: limit - 1 };
  for (let round = 0; round < mostRounds; round += 1) {
    const taken = await table.update(key, {
      add: { file_jobs: 1 },
      include: { reserved: [name] },
      condition: { file_jobs: hasRoom, reserved: { lacks: name } },
    });
    if (taken !== null) {
      await countInIndex(table, organizationId, job);
      await forgetStored(table, key, taken, job.isStored);
      return;
    }
    const item = await table.get(key);
    if (membersOf(item, 'reserved').has(name)) return countInIndex(table, organizationId, job);
    const current = numberOf(item, 'file_jobs');
    if (current >= limit) throw noFileJobs(limit, current);
    hasRoom = item?.['file_jobs'] === undefined ? { exists: false } : { lte: limit - 1 };
  }
  throw new Error('a file job could not be reserved: too many are started at a time');
};

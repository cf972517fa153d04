import { membersOf, numberOf } from '../db/read-item.ts';
import type { Item, Key, Table } from '../db/contracts.ts';
import { AppError } from '../kernel/errors.ts';
import { type Plan, plans } from '../kernel/plans.ts';
import type { StartedJob, UsageReader } from './contracts.ts';
import { dayOf, fileJobsKey, indexFileJobsKey, monthOf } from './items.ts';

/** Number of newest reservations that are always kept, because a repeat of their request may be running. */
const newest = 100;

/** Reservations between two removals of old ones. */
const betweenRemovals = 50;

/**
 * Maximum older reservations without a stored job: of a request that died and may be repeated, or of a job that was deleted
 * at once. Each of them makes every further reservation of the month more expensive.
 */
const maxUnstored = 500;

/** Maximum retries after a lost race, such as that for the last job of a month. */
const maxRounds = 10;

/** Returns the member that stores a reservation. Ids sort by age. */
const nameOf = ({ id, indexId }: Pick<StartedJob, 'id' | 'indexId'>): string => `${id} ${indexId}`;

const jobOf = (name: string): Pick<StartedJob, 'id' | 'indexId'> => {
  const [id = '', indexId = ''] = name.split(' ');
  return { id, indexId };
};

/** Removes reservations whose job is stored: a repeat of the request finds the job. */
const removeStored = async (table: Table, key: Key, item: Item, isStored: StartedJob['isStored']): Promise<void> => {
  const reserved = [...membersOf(item, 'reserved')].toSorted();
  if (reserved.length < newest + betweenRemovals + numberOf(item, 'unstored')) return;
  const older = reserved.slice(0, -newest);
  const stored = await Promise.all(older.map((name) => isStored(jobOf(name))));
  const unstored = new Set(older.filter((_, at) => stored[at] === false).slice(-maxUnstored));
  await table.update(key, {
    set: { unstored: unstored.size },
    exclude: { reserved: older.filter((name) => !unstored.has(name)) },
  });
};

const noFileJobs = (limit: number, current: number): AppError =>
  new AppError('plan_limit_reached', `The plan allows ${limit} file jobs a month`, { fields: { limit, current } });

/** Throws 402 if the month of `at` has no file job left. Reserves nothing. */
export const requireFileJob = async (
  usage: Pick<UsageReader, 'fileJobs'>,
  { organizationId, plan }: { readonly organizationId: string; readonly plan: Plan },
  at: Date,
): Promise<void> => {
  const limit = plans[plan].limits.file_jobs_per_month;
  const current = await usage.fileJobs(organizationId, monthOf(at.toISOString()));
  if (current >= limit) throw noFileJobs(limit, current);
};

/** Number of newest jobs that the count of an index keeps: more than run concurrently. */
const maxCounted = 50;

/** Counts a reserved job once in its index, for credentials that see nothing else of the organization. */
const countInIndex = async (table: Table, organizationId: string, { id, indexId, at }: StartedJob): Promise<void> => {
  const started = at.toISOString();
  const key = indexFileJobsKey(organizationId, monthOf(started), indexId);
  const counted = await table.update(key, {
    add: { file_jobs: 1, [`file_jobs_${dayOf(started)}`]: 1 },
    include: { counted: [id] },
    condition: { counted: { lacks: id } },
  });
  const ids = [...membersOf(counted, 'counted')].toSorted();
  if (ids.length >= 2 * maxCounted) await table.update(key, { exclude: { counted: ids.slice(0, -maxCounted) } });
};

/**
 * Reserves one file job of the quota of the month in which it was started, once for each job. One conditional write counts
 * and checks the limit, so that it is never exceeded and no reservation is ever returned. Throws 402.
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
  for (let round = 0; round < maxRounds; round += 1) {
    const taken = await table.update(key, {
      add: { file_jobs: 1 },
      include: { reserved: [name] },
      condition: { file_jobs: hasRoom, reserved: { lacks: name } },
    });
    if (taken !== null) {
      await countInIndex(table, organizationId, job);
      await removeStored(table, key, taken, job.isStored);
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

import { membersOf } from '../db/members.ts';
import type { Table } from '../db/table.ts';
import { AppError } from '../kernel/errors.ts';
import { type Plan, plans } from '../kernel/plans.ts';
import { fileJobsKey, monthOf, number } from './items.ts';

/** Reservations that are remembered one by one: more than can be under way at a time. */
const remembered = 200;

/** A refused addition is decided by reading: the first job of a month, or a month whose last place is contended for. */
const mostRounds = 10;

/**
 * Takes one file job from the allowance of the month in which it was started, once for each job. The count and the limit
 * are one condition, so that nobody passes the limit even for a moment and nothing is ever given back. Throws 402.
 */
export const reserveFileJob = async (
  table: Table,
  organizationId: string,
  plan: Plan,
  job: { readonly id: string; readonly at: Date },
): Promise<void> => {
  const key = fileJobsKey(organizationId, monthOf(job.at.toISOString()));
  const limit = plans[plan].limits.file_jobs_per_month;
  let hasRoom: { readonly lte: number } | { readonly exists: false } = { lte: limit - 1 };
  for (let round = 0; round < mostRounds; round += 1) {
    const taken = await table.update(key, {
      add: { file_jobs: 1 },
      include: { reserved: [job.id] },
      condition: { file_jobs: hasRoom, reserved: { lacks: job.id } },
    });
    if (taken !== null) {
      const reserved = [...membersOf(taken, 'reserved')].toSorted();
      if (reserved.length >= 2 * remembered)
        await table.update(key, { exclude: { reserved: reserved.slice(0, -remembered) } });
      return;
    }
    const item = await table.get(key);
    if (membersOf(item, 'reserved').has(job.id)) return;
    const current = number(item, 'file_jobs');
    if (current >= limit)
      throw new AppError('plan_limit_reached', `The plan allows ${limit} file jobs a month`, {
        fields: { limit, current },
      });
    hasRoom = item?.['file_jobs'] === undefined ? { exists: false } : { lte: limit - 1 };
  }
  throw new Error('a file job could not be reserved: too many are started at a time');
};

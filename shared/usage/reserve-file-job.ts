import type { Table } from '../db/table.ts';
import { AppError } from '../kernel/errors.ts';
import { type Plan, plans } from '../kernel/plans.ts';
import { fileJobsKey, monthOf, number } from './items.ts';

/** Reservations that are remembered one by one: more than can be under way at a time. */
const remembered = 200;

/** Takes one file job from the allowance of the month in which it was started, once for each job. Throws 402. */
export const reserveFileJob = async (
  table: Table,
  organizationId: string,
  plan: Plan,
  job: { readonly id: string; readonly at: Date },
): Promise<void> => {
  const key = fileJobsKey(organizationId, monthOf(job.at.toISOString()));
  const taken = await table.update(key, {
    add: { file_jobs: 1 },
    include: { reserved: [job.id] },
    condition: { reserved: { lacks: job.id } },
  });
  if (taken === null) return;
  const limit = plans[plan].limits.file_jobs_per_month;
  const current = number(taken, 'file_jobs');
  if (current > limit) {
    const condition = { reserved: { contains: job.id } };
    await table.update(key, { add: { file_jobs: -1 }, exclude: { reserved: [job.id] }, condition });
    const fields = { limit, current: current - 1 };
    throw new AppError('plan_limit_reached', `The plan allows ${limit} file jobs a month`, { fields });
  }
  const reserved = [...(taken['reserved'] as ReadonlySet<string>)].toSorted();
  if (reserved.length >= 2 * remembered)
    await table.update(key, { exclude: { reserved: reserved.slice(0, -remembered) } });
};

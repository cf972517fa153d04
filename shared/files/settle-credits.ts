import { timeOf } from '../kernel/ids.ts';
import { type CreditBook, type CreditTask, monthOf } from '../usage/index.ts';
import type { TaskRecord } from './record.ts';

/** Where the credits of a job come from: the month in which it was made, whenever it is worked on. */
export const creditMonthOf = ({
  organizationId,
  jobId,
}: {
  readonly organizationId: string;
  readonly jobId: string;
}) => ({
  organizationId,
  month: monthOf(timeOf(jobId).toISOString()),
});

/** A task as the book of credits knows it. */
export const creditTaskOf = (task: {
  readonly organizationId: string;
  readonly jobId: string;
  readonly id: string;
}): CreditTask => ({ ...creditMonthOf(task), id: task.id });

/** Gives back what tasks of a job hold and have not used. They must have ended: then they use nothing more. */
export const settleEndedTasks = async (credits: CreditBook, tasks: readonly TaskRecord[]): Promise<void> => {
  const [first] = tasks;
  if (first === undefined) return;
  const holders = await credits.holders(creditMonthOf(first));
  for (const task of tasks.filter(({ id }) => holders.has(id)))
    await credits.settle(creditTaskOf(task), () => Promise.resolve(task.credits));
};

import { timeOf } from '../kernel/ids.ts';
import { type CreditBook, type CreditTask, monthOf } from '../usage/index.ts';
import type { TaskRecord } from './record.ts';

/** A task as the book of credits knows it: they come out of the month in which its job was made, whenever it is worked on. */
export const creditTaskOf = (task: {
  readonly organizationId: string;
  readonly jobId: string;
  readonly id: string;
}): CreditTask => ({
  organizationId: task.organizationId,
  id: task.id,
  month: monthOf(timeOf(task.jobId).toISOString()),
});

/** Gives back what tasks of a job hold and have not used. They must have ended: then they use nothing more. */
export const settleEndedTasks = async (credits: CreditBook, tasks: readonly TaskRecord[]): Promise<void> => {
  const [first] = tasks;
  if (first === undefined) return;
  const holders = await credits.holders(creditTaskOf(first));
  for (const task of tasks.filter(({ id }) => holders.has(id)))
    await credits.settle(creditTaskOf(task), () => Promise.resolve(task.credits));
};

import { timeOf } from '../kernel/ids.ts';
import { type MonthlyQuota, monthOf, type QuotaAmounts, type QuotaTask } from '../usage/index.ts';
import type { TaskRecord } from './record.ts';

/** Job whose tasks reserve from the quota of the month in which it was created, whenever they run. */
export const quotaJobOf = ({ organizationId, jobId }: { readonly organizationId: string; readonly jobId: string }) => ({
  organizationId,
  jobId,
  month: monthOf(timeOf(jobId).toISOString()),
});

/** Task as the monthly quota identifies it. */
export const quotaTaskOf = (task: {
  readonly organizationId: string;
  readonly jobId: string;
  readonly id: string;
}): QuotaTask => ({ ...quotaJobOf(task), id: task.id });

/** Returns what a task has used of the monthly quota; nothing if it is gone, because it was settled before. */
export const quotaUsedBy = (task: TaskRecord | null): QuotaAmounts => ({
  ocr: task?.credits.ocr ?? 0,
  audio: task?.credits.audio ?? 0,
  tokens: (task?.tokens ?? 0) + (task?.lateTokens ?? 0),
});

/** Settles the reservations of the ended tasks of a job, which use nothing more. */
export const settleEndedTasks = async (quota: MonthlyQuota, tasks: readonly TaskRecord[]): Promise<void> => {
  const [first] = tasks;
  if (first === undefined) return;
  const unsettled = await quota.unsettled(quotaJobOf(first));
  for (const task of tasks.filter(({ id }) => unsettled.has(id)))
    await quota.settle(quotaTaskOf(task), () => Promise.resolve(quotaUsedBy(task)));
};

import type { Deps } from '../../../../shared/kernel/capability.ts';
import { type filesWrite, taskMessageOf, type tasksSend } from '../../../../shared/files/index.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';

type SweepDeps = Deps<{ files: typeof filesWrite; tasks: typeof tasksSend }>;

/** Resends the message of each overdue task, unless the task is done or its job has ended. */
export const sweepTasks = async ({ files, tasks }: SweepDeps, now: Date): Promise<void> => {
  await processBatch(await files.overdue('tasks', now, maxBatchItems), async (key) => {
    const task = await files.task(key);
    if (task === null || !(await files.postponeTaskCheck(task, now.toISOString()))) return;
    const { organizationId, indexId, jobId } = task;
    const job = await files.get({ organizationId, indexId, jobId });
    if (job?.status === 'processing') await tasks.send(job.region, [taskMessageOf(job, task)]);
  });
};

import type { Deps } from '../../../../shared/kernel/capability.ts';
import { type filesWrite, taskMessageOf, type tasksSend } from '../../../../shared/files/index.ts';
import { lookAtEach, maxLookedAt } from '../../../../shared/pipeline/look-at-each.ts';

type SweepDeps = Deps<{ files: typeof filesWrite; tasks: typeof tasksSend }>;

/** Asks again for each task whose message was lost. A task that is done, or whose job has ended, is left alone. */
export const sweepTasks = async ({ files, tasks }: SweepDeps, now: Date): Promise<void> => {
  await lookAtEach(await files.overdue('tasks', now, maxLookedAt), async (key) => {
    const task = await files.task(key);
    if (task === null || !(await files.remindTask(task, now.toISOString()))) return;
    const { organizationId, indexId, jobId } = task;
    const job = await files.get({ organizationId, indexId, jobId });
    if (job?.status === 'processing') await tasks.send(job.region, [taskMessageOf(job, task)]);
  });
};

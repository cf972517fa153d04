import type { Deps } from '../../../../shared/kernel/capability.ts';
import { type filesWrite, jobAddressOf, type planSend } from '../../../../shared/files/index.ts';
import type { contentReader } from '../../../../shared/platform/aws/content.ts';

type SweepDeps = Deps<{ files: typeof filesWrite; content: typeof contentReader; plans: typeof planSend }>;

const limit = 500;

/** A file that has not come by then never will: the address was valid for minutes, the rest is for slow lines. */
const uploadMs = 24 * 3_600_000;

/**
 * Plans anew each job whose notification or plan was lost, and ends each whose file never came. The next look is put off
 * first, so that one job cannot take all of them.
 */
export const sweepJobs = async ({ files, content, plans }: SweepDeps, now: Date): Promise<void> => {
  const at = now.toISOString();
  for (const key of await files.overdue('jobs', now, limit)) {
    const address = jobAddressOf(key);
    const job = await files.get(address);
    if (job === null || !(await files.remindPlan(address, at))) continue;
    // A queued job whose file has gone since is planned too: the plan fails it.
    const arrived = job.status === 'queued' || (await content.head(job.region, job.objectKey)) !== null;
    if (arrived) await plans.remind(job);
    else if (now.getTime() - Date.parse(job.createdAt) >= uploadMs) await files.expire(address, at);
  }
};

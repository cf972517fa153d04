import type { Deps } from '../../../../shared/kernel/capability.ts';
import { dayMs } from '../../../../shared/kernel/durations.ts';
import {
  addressOfJob,
  closeEnded,
  type filesWrite,
  isLeftOpen,
  isOpen,
  jobAddressAt,
  type JobRecord,
  type planSend,
} from '../../../../shared/files/index.ts';
import type { logSend } from '../../../../shared/indexes/index.ts';
import type { contentReader } from '../../../../shared/platform/aws/content.ts';
import { lookAtEach, mostLookedAt } from '../../../../shared/pipeline/look-at-each.ts';

type SweepDeps = Deps<{
  files: typeof filesWrite;
  content: typeof contentReader;
  plans: typeof planSend;
  log: typeof logSend;
}>;

/** A file that has not come by then never will: the address was valid for minutes, the rest is for slow lines. */
const uploadMs = dayMs;

/** Sets a job going again whose notification or plan was lost, or ends it where its file never came. */
const setGoing = async ({ files, content, plans, log }: SweepDeps, job: JobRecord, now: Date): Promise<void> => {
  const at = now.toISOString();
  if (isLeftOpen(job)) await closeEnded({ files, log }, job, at);
  else if (job.status === 'queued') await plans.remind(job);
  else if ((await content.head(job.region, job.objectKey)) !== null) await plans.remind(job);
  else if (now.getTime() - Date.parse(job.createdAt) >= uploadMs) await files.expire(addressOfJob(job), at);
};

/** Looks at each job that has waited too long. The next look is put off first, so that no job takes all of them. */
export const sweepJobs = async (deps: SweepDeps, now: Date): Promise<void> => {
  await lookAtEach(await deps.files.overdue('jobs', now, mostLookedAt), async (key) => {
    const address = jobAddressAt(key);
    const job = await deps.files.get(address);
    if (job === null || !(await deps.files.remindJob(address, now.toISOString()))) return;
    await setGoing(deps, job, now);
  });
};

/** Sees to it that jobs which ended without content, or were about to, leave no row and are counted. */
export const sweepEnds = async ({ files, log }: SweepDeps, now: Date): Promise<void> => {
  const at = now.toISOString();
  await lookAtEach(await files.overdue('ends', now, mostLookedAt), async (key) => {
    const address = jobAddressAt(key);
    if (!(await files.remindEnd(address, at))) return;
    const job = await files.get(address);
    if (job !== null && isLeftOpen(job)) await closeEnded({ files, log }, job, at);
    // One that is still open may end at any moment.
    else if (job === null || !isOpen(job)) await files.forgetEnd(address);
  });
};

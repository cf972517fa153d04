import type { Deps } from '../../../../shared/kernel/capability.ts';
import {
  addressOfJob,
  closeEnded,
  type filesWrite,
  isLeftOpen,
  isOpen,
  isUploadOver,
  jobAddressAt,
  type JobRecord,
  keepsOriginal,
  type planSend,
} from '../../../../shared/files/index.ts';
import type { logSend } from '../../../../shared/indexes/index.ts';
import type { contentReader } from '../../../../shared/platform/aws/content.ts';
import type { ContentWriter } from '../../../../shared/platform/aws/objects.ts';
import { lookAtEach, maxLookedAt } from '../../../../shared/pipeline/look-at-each.ts';

type SweepDeps = Deps<{
  files: typeof filesWrite;
  content: ReturnType<typeof contentReader>;
  plans: typeof planSend;
  log: typeof logSend;
}>;

/**
 * Looks twice at a job that awaits its upload: once after the address has expired, and when the time is over. A file that
 * has come has lost its notification, and from then on the job is looked at as one that waits for its plan.
 */
const awaitUpload = async ({ files, content, plans }: SweepDeps, job: JobRecord, now: Date): Promise<void> => {
  const address = addressOfJob(job);
  const at = now.toISOString();
  if (!(await files.remindJob(address, at))) return;
  if ((await content.head(job.region, job.objectKey)) !== null) await plans.remind(job);
  else if (isUploadOver(job, now)) await files.expire(address, at);
  else await files.awaitLateUpload(address, job.createdAt);
};

/** Sets a job going again whose plan or whose end was lost. */
const setGoing = async ({ files, plans, log }: SweepDeps, job: JobRecord, at: string): Promise<void> => {
  if (!(await files.remindJob(addressOfJob(job), at))) return;
  if (isLeftOpen(job)) await closeEnded({ files, log }, job, at);
  else await plans.remind(job);
};

/** Looks at each job that has waited too long. The next look is put off first, so that no job takes all of them. */
export const sweepJobs = async (deps: SweepDeps, now: Date): Promise<void> => {
  await lookAtEach(await deps.files.overdue('jobs', now, maxLookedAt), async (key) => {
    const job = await deps.files.get(jobAddressAt(key));
    if (job === null) return;
    if (job.status === 'awaiting_upload') await awaitUpload(deps, job, now);
    else await setGoing(deps, job, now.toISOString());
  });
};

/** Sees to it that jobs which ended without content, or were about to, are counted, and leave no row and no file. */
export const sweepEnds = async (
  { files, log, stored }: Pick<SweepDeps, 'files' | 'log'> & { readonly stored: Pick<ContentWriter, 'deleteAll'> },
  now: Date,
): Promise<void> => {
  const at = now.toISOString();
  await lookAtEach(await files.overdue('ends', now, maxLookedAt), async (key) => {
    const address = jobAddressAt(key);
    if (!(await files.remindEnd(address, at))) return;
    const job = await files.get(address);
    if (job !== null && isLeftOpen(job)) await closeEnded({ files, log }, job, at);
    // One that is still open may end at any moment.
    else if (job === null || !isOpen(job)) {
      if (job !== null && !keepsOriginal(job)) await stored.deleteAll(job.region, job.objectKey);
      await files.forgetEnd(address);
    }
  });
};

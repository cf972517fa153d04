import type { Deps } from '../../../../shared/kernel/capability.ts';
import {
  addressOfJob,
  cleanUpEndedJob,
  expireJob,
  type filesWrite,
  needsCleanup,
  isOpen,
  isUploadOver,
  jobAddressAt,
  type JobRecord,
  keepsOriginal,
  type planSend,
} from '../../../../shared/files/index.ts';
import type { logSend } from '../../../../shared/indexes/index.ts';
import type { originalAllowance } from '../../../../shared/usage/index.ts';
import type { contentReader } from '../../../../shared/platform/aws/content.ts';
import type { ContentWriter } from '../../../../shared/platform/aws/objects.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';

type SweepDeps = Deps<{
  files: typeof filesWrite;
  content: ReturnType<typeof contentReader>;
  plans: typeof planSend;
  log: typeof logSend;
  originals: typeof originalAllowance;
}>;

/**
 * Checks a job that awaits its upload twice: after the upload URL has expired, and at the deadline. If the file has
 * arrived, its notification was lost, and the job is planned.
 */
const checkUpload = async (
  { files, content, plans, originals }: SweepDeps,
  job: JobRecord,
  now: Date,
): Promise<void> => {
  const address = addressOfJob(job);
  const at = now.toISOString();
  if (!(await files.postponeJobCheck(address, at))) return;
  if ((await content.head(job.region, job.objectKey)) !== null) await plans.resend(job);
  else if (isUploadOver(job, now)) {
    await originals.release(job.organizationId, job.id);
    await expireJob(files, address, at);
  } else await files.postponeToUploadDeadline(address, job.createdAt);
};

/** Resumes a job whose plan or end was lost. */
const resumeJob = async (
  { files, plans, log }: Omit<SweepDeps, 'originals'>,
  job: JobRecord,
  at: string,
): Promise<void> => {
  if (!(await files.postponeJobCheck(addressOfJob(job), at))) return;
  if (needsCleanup(job)) await cleanUpEndedJob({ files, log }, job, at);
  else await plans.resend(job);
};

/** Checks overdue jobs. The next check is postponed first, so that no job blocks the others. */
export const sweepJobs = async (deps: SweepDeps, now: Date): Promise<void> => {
  await processBatch(await deps.files.overdue('jobs', now, maxBatchItems), async (key) => {
    const job = await deps.files.get(jobAddressAt(key));
    if (job === null) return;
    if (job.status === 'awaiting_upload') await checkUpload(deps, job, now);
    else await resumeJob(deps, job, now.toISOString());
  });
};

/** Makes sure that jobs which ended without content, or were about to, are counted and leave no rows and no file. */
export const sweepEnds = async (
  { files, log, stored }: Pick<SweepDeps, 'files' | 'log'> & { readonly stored: Pick<ContentWriter, 'deleteAll'> },
  now: Date,
): Promise<void> => {
  const at = now.toISOString();
  await processBatch(await files.overdue('ends', now, maxBatchItems), async (key) => {
    const address = jobAddressAt(key);
    if (!(await files.postponeEndCheck(address, at))) return;
    const job = await files.get(address);
    if (job !== null && needsCleanup(job)) await cleanUpEndedJob({ files, log }, job, at);
    // An open job may end at any moment.
    else if (job === null || !isOpen(job)) {
      if (job !== null && !keepsOriginal(job)) await stored.deleteAll(job.region, job.objectKey);
      await files.deleteEndNote(address);
    }
  });
};

import type { IndexLog } from '../indexes/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { cleanUpEndedJob, needsCleanup } from './ended-jobs.ts';
import type { FileWriter } from './contracts.ts';
import type { CancelReason } from './job-contracts.ts';
import { toProcessing } from './present.ts';
import { addressOfJob, isOpen, type JobRecord } from './record.ts';

interface CancelDeps {
  readonly files: FileWriter;
  readonly log: IndexLog;
}

/**
 * Cancels a job with its tasks, and removes its rows. False if it has ended otherwise or is just replacing another job.
 * A repeat completes what an earlier call left.
 * @param reason Why the service cancels it; null: a caller does.
 */
export const cancelJob = async (
  deps: CancelDeps,
  job: JobRecord,
  clock: Clock,
  reason: CancelReason | null = null,
): Promise<boolean> => {
  const at = clock.now().toISOString();
  const processing = toProcessing(job, await deps.files.tasks(job.organizationId, job.id), at);
  const ended = await deps.files.cancel(addressOfJob(job), { processing, at, reason });
  if (ended?.status !== 'cancelled') return false;
  await cleanUpEndedJob(deps, ended, at);
  return true;
};

/** Error for a job that cannot be stopped because it is replacing another. */
export const replacementInProgress = (): AppError =>
  new AppError('conflict', 'The file is just replacing another one: repeat the request in a moment', {
    headers: { 'retry-after': '1' },
  });

/**
 * Cancels a job that has not ended, or completes an earlier cancellation. Throws 409 if it is just replacing another
 * job.
 */
export const cancelIfOpen = async (deps: CancelDeps, job: JobRecord, clock: Clock): Promise<void> => {
  if (!isOpen(job) && !needsCleanup(job)) return;
  if (await cancelJob(deps, job, clock)) return;
  const now = await deps.files.get(addressOfJob(job));
  if (now !== null && isOpen(now)) throw replacementInProgress();
};

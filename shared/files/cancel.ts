import type { IndexLog } from '../indexes/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { closeEnded, isLeftOpen } from './close-ended.ts';
import type { FileWriter } from './contracts.ts';
import { toProcessing } from './present.ts';
import { addressOfJob, isOpen, type JobRecord } from './record.ts';

interface CancelDeps {
  readonly files: FileWriter;
  readonly log: IndexLog;
}

/**
 * Ends a job before its time, with its tasks and whatever rows it has. False where it had ended in another way, or is just
 * taking the place of another job; a repeat finishes what an earlier call left.
 */
export const cancelJob = async (deps: CancelDeps, job: JobRecord, clock: Clock): Promise<boolean> => {
  const at = clock.now().toISOString();
  const processing = toProcessing(job, await deps.files.tasks(job.organizationId, job.id), at);
  const ended = await deps.files.cancel(addressOfJob(job), { processing, at });
  if (ended?.status !== 'cancelled') return false;
  await closeEnded(deps, ended, at);
  return true;
};

/** The refusal to end a job that cannot be stopped any more. */
export const takesPlace = (): AppError =>
  new AppError('conflict', 'The file is just taking the place of another: ask again in a moment', {
    headers: { 'retry-after': '1' },
  });

/** Cancels a job that has not ended, or finishes that. Throws 409 where it is just taking the place of another job. */
export const settleJob = async (deps: CancelDeps, job: JobRecord, clock: Clock): Promise<void> => {
  if (!isOpen(job) && !isLeftOpen(job)) return;
  if (await cancelJob(deps, job, clock)) return;
  const now = await deps.files.get(addressOfJob(job));
  if (now !== null && isOpen(now)) throw takesPlace();
};

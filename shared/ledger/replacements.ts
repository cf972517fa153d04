import {
  batchKey,
  cancelJob,
  endedWithoutContent,
  isCompleted,
  isOpen,
  jobAddressIn,
  type JobRecord,
  supersedeJob,
} from '../files/index.ts';
import type { LogMessage, MessageOf } from '../indexes/index.ts';
import type { LedgerContext } from './context.ts';
import { dropSuperseded, endJob } from './count-job.ts';
import { recordWriteDuration } from './tasks.ts';

/** Message with a task of a job that replaces another. */
export type ReplacementMessage = MessageOf<'write_task'> & { readonly change: { readonly replaces: string } };

/** Whether a replacement has no rows in the index: they wait until all of them replace the other's. */
const isWithoutRows = (job: JobRecord): boolean =>
  !isCompleted(job) && !(job.status === 'superseded' && job.errorCode === null);

/**
 * Returns the jobs that `own` replaces, the one with rows last. A replacement without rows leads to the job that it was to
 * replace, and a replaced job to its successor: another replacement of the same job may have completed before.
 */
const replacedJobs = async (
  context: LedgerContext,
  message: LogMessage,
  jobId: string,
  own: string,
): Promise<string[]> => {
  const { files } = context.deps;
  const followed: string[] = [];
  let current = jobId;
  for (;;) {
    const address = jobAddressIn(message, current);
    const job = await files.get(address);
    const predecessor = job === null ? await files.predecessor(address) : isWithoutRows(job) ? job.replacesJobId : null;
    if (predecessor === null) break;
    followed.push(current);
    current = predecessor;
  }
  for (;;) {
    const by = await files.successor(jobAddressIn(message, current));
    if (by === null || by === own) return [...followed, current];
    current = by;
  }
};

/** Returns the job whose rows `own` replaces. */
export const currentJobOf = async (
  context: LedgerContext,
  message: LogMessage,
  jobId: string,
  own: string,
): Promise<string> => (await replacedJobs(context, message, jobId, own)).at(-1) ?? jobId;

/**
 * Cancels the jobs that a complete file replaces and that are unfinished, so that the newest of several files remains. A job
 * that is just replacing another stays.
 */
const cancelUnfinished = async (context: LedgerContext, message: ReplacementMessage): Promise<void> => {
  const { deps, run } = context;
  for (const jobId of await replacedJobs(context, message, message.change.replaces, message.change.job_id)) {
    const job = await deps.files.get(jobAddressIn(message, jobId));
    if (job !== null && isOpen(job)) await cancelJob(deps, job, run.clock);
  }
};

/**
 * Marks the replaced jobs as superseded, the one with rows first, and deletes their originals. A cancelled job among them
 * stays cancelled. Idempotent.
 */
const supersede = async (context: LedgerContext, message: ReplacementMessage): Promise<void> => {
  const { job_id: own, replaces } = message.change;
  for (const jobId of (await replacedJobs(context, message, replaces, own)).toReversed()) {
    const address = jobAddressIn(message, jobId);
    await supersedeJob(context.deps.files, address, own, context.run.clock.now().toISOString());
    await dropSuperseded(context.deps, address, context.run.clock);
  }
};

/** Keys of the stored rows of a job, task by task. */
export const rowKeysOf = (job: JobRecord): readonly string[] =>
  Array.from({ length: job.tasksTotal }, (_, at) => batchKey(job, at + 1));

/** Whether a replacement is complete. Its message must not restore rows that were deleted since. */
export const isReplaced = async (context: LedgerContext, message: ReplacementMessage): Promise<boolean> => {
  const job = await context.deps.files.get(jobAddressIn(message, message.change.job_id));
  if (job?.counted !== true) return false;
  // The last run may have died before this.
  if (job.errorCode === null && job.status !== 'cancelled') await supersede(context, message);
  return true;
};

/** Locks a job whose rows are about to replace those of another. From here on it must complete. False if it has ended. */
export const lockReplacement = async (context: LedgerContext, message: ReplacementMessage): Promise<boolean> => {
  const isLocked = await context.deps.files.lockReplacement(jobAddressIn(message, message.change.job_id));
  if (isLocked) await cancelUnfinished(context, message);
  return isLocked;
};

/** Whether a job has another as its recorded successor. */
export const isSucceededBy = async (
  { deps }: LedgerContext,
  message: LogMessage,
  jobId: string,
  byJobId: string,
): Promise<boolean> => (await deps.files.successor(jobAddressIn(message, jobId))) === byJobId;

/** Whether the rows of a replaced job were counted as written. Those of a job that ended without content were not. */
export const hasCountedRows = async ({ deps }: LedgerContext, message: LogMessage, jobId: string): Promise<boolean> => {
  const job = await deps.files.get(jobAddressIn(message, jobId));
  return job === null || !endedWithoutContent(job);
};

/** Ends a job whose rows have replaced those of another. The two are never both current. */
export const completeReplacement = async (
  context: LedgerContext,
  message: ReplacementMessage,
  job: JobRecord,
  durationMs: number,
): Promise<void> => {
  await supersede(context, message);
  await recordWriteDuration(context, message, durationMs);
  await endJob(context.deps, job, context.run.clock);
};

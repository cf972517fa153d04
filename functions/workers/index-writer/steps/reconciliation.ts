import { jobAddressIn, type JobRecord } from '../../../../shared/files/index.ts';
import { dayMs } from '../../../../shared/kernel/durations.ts';
import type { LogChange, LogMessage, MessageOf } from '../../../../shared/indexes/index.ts';
import { isDoneButOpen } from './finish-task.ts';
import { acknowledge, done } from './receipts.ts';
import type { Reconciling } from './reconciler-uses.ts';

/** Milliseconds for which the end of a possibly committed change is retried. */
const maxRetryMs = dayMs;

export const taskFailed = 'The rows of the file could not be written';

type ReconciledOp = MessageOf<'settle'>['change']['change']['op'];

/** Changes that a caller may wait for. They are not applied later, because other requests may have written since. */
const reconciledOps: ReadonlySet<string> = new Set<ReconciledOp>([
  'upsert',
  'patch',
  'delete',
  'delete_where',
  'patch_where',
  'remove_job',
  'promote',
  'branch',
]);

const isReconciledChange = (change: LogChange): change is MessageOf<'settle'>['change']['change'] =>
  reconciledOps.has(change.op);

/** Returns the change that only finds out whether `change` was committed; null if a caller does not wait for it. */
export const reconciliationOf = (change: LogChange, now: string): MessageOf<'settle'>['change'] | null => {
  if (change.op === 'settle') return change;
  return isReconciledChange(change) ? { op: 'settle', change, since: now } : null;
};

export const isLate = (since: string, now: Date): boolean => now.getTime() - Date.parse(since) >= maxRetryMs;

type WithFiles = Omit<Reconciling, 'deps'> & { readonly deps: Pick<Reconciling['deps'], 'files' | 'indexes'> };

/** Acknowledges the message of a completed task whose job continues or has ended. Returns false for any other message. */
export const acknowledgeCompletedTask = async (at: WithFiles, message: LogMessage): Promise<boolean> => {
  const { deps, run } = at;
  const { change } = message;
  if (change.op !== 'write_task') return false;
  const address = { ...jobAddressIn(message, change.job_id), ordinal: change.ordinal };
  const job = await deps.files.noteTaskInvocation(address, run.invocationId);
  if (job?.done.has(String(change.ordinal)) !== true || isDoneButOpen(job)) return false;
  await acknowledge(at, message, done);
  return true;
};

/** Returns the job of a message if all its tasks are done but it has not ended, else null. */
export const unendedJob = async (
  { deps }: WithFiles,
  message: LogMessage,
  { job_id: jobId }: MessageOf<'write_task'>['change'],
): Promise<JobRecord | null> => {
  const job = await deps.files.get(jobAddressIn(message, jobId));
  return job !== null && isDoneButOpen(job) ? job : null;
};

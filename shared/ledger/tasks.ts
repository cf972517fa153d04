import { failJob, isOpen, jobAddressIn, type JobRecord, statusesWithRows } from '../files/index.ts';
import type { LogMessage, MessageOf } from '../indexes/index.ts';
import type { Figures, Phase, TraceStep } from '../pipeline/steps.ts';
import type { LedgerContext } from './context.ts';
import { endJob } from './count-job.ts';

/** Whether all tasks of a job are done. */
const isFull = ({ tasksTotal, done }: JobRecord): boolean => tasksTotal > 0 && done.size === tasksTotal;

/** Whether all tasks of a job are done, but the job was not ended and counted, because the last run may have died. */
const isDoneButOpen = (job: JobRecord): boolean =>
  isFull(job) && !job.counted && (statusesWithRows.includes(job.status) || job.status === 'superseded');

/**
 * Returns the job of a task whose rows are to be written; null if the job has ended early. While the job is open, the run is
 * noted with the task first, so that it is counted even if it dies. The figures of an ended job do not change.
 */
export const beginTaskWrite = async (
  { deps, run }: LedgerContext,
  message: MessageOf<'write_task'>,
): Promise<JobRecord | null> => {
  const { job_id: jobId, ordinal } = message.change;
  const address = jobAddressIn(message, jobId);
  const job = await deps.files.get(address);
  if (job === null || !statusesWithRows.includes(job.status)) return null;
  if (isOpen(job) && !(await deps.files.noteWriter({ ...address, ordinal }, run.invocationId))) return null;
  return job;
};

const writePhase = 'index.write' satisfies Phase;

/** Completes a task whose rows are committed. Returns the job if that was its last task, else null. */
export const finishTask = async (
  { deps, run }: LedgerContext,
  message: LogMessage,
  vectors: number,
  durationMs: number,
): Promise<JobRecord | null> => {
  if (message.change.op !== 'write_task') return null;
  const { job_id: jobId, ordinal } = message.change;
  const task = await deps.files.taskAt({ ...jobAddressIn(message, jobId), ordinal });
  if (task === null) return null;
  const now = run.clock.now();
  const step: TraceStep = {
    attempt: task.attemptCount,
    phase: writePhase,
    started_at: new Date(now.getTime() - durationMs).toISOString(),
    duration_ms: durationMs,
    attributes: { batches: 1 } satisfies Figures,
  };
  const result = {
    chunks: vectors,
    vectors,
    trace: [...task.trace, step],
    at: now.toISOString(),
  };
  await deps.files.completeTask(task, result);
  const job = await deps.files.countTask(jobAddressIn(message, jobId), ordinal, { chunks: vectors, vectors });
  return job !== null && isFull(job) ? job : null;
};

/**
 * Records the duration of the write of a task that was completed before. A longer duration stays, because a repeat finds
 * the commit done.
 */
export const recordWriteDuration = async (
  { deps, run }: LedgerContext,
  message: MessageOf<'write_task'>,
  durationMs: number,
): Promise<void> => {
  const { job_id: jobId, ordinal } = message.change;
  const task = await deps.files.taskAt({ ...jobAddressIn(message, jobId), ordinal });
  const at = task?.trace.findLastIndex(({ phase }) => phase === writePhase) ?? -1;
  const step = task?.trace[at];
  if (task === null || step === undefined || step.duration_ms >= durationMs) return;
  const started_at = new Date(run.clock.now().getTime() - durationMs).toISOString();
  await deps.files.saveTrace(task, task.trace.with(at, { ...step, started_at, duration_ms: durationMs }));
};

/** Fails the job of a task whose rows will not be written. Returns false if the message is of no task. */
export const failTask = async ({ deps, run }: LedgerContext, message: LogMessage, error: string): Promise<boolean> => {
  const { change } = message;
  if (change.op !== 'write_task') return false;
  const address = jobAddressIn(message, change.job_id);
  const job = await deps.files.noteTaskInvocation({ ...address, ordinal: change.ordinal }, run.invocationId);
  await deps.files.unlockReplacement(address);
  if (job !== null) await failJob(deps, job, { error, code: 'processing_failed' }, run.clock);
  return true;
};

/** Ends the job of a completed task, if the run that completed its last task has died before. */
export const endDoneJob = async (context: LedgerContext, message: LogMessage): Promise<void> => {
  const { change } = message;
  if (change.op !== 'write_task') return;
  const job = await context.deps.files.get(jobAddressIn(message, change.job_id));
  if (job !== null && isDoneButOpen(job)) await endJob(context.deps, job, context.run.clock);
};

/** Notes a run with a task. Returns whether its rows are committed, and then whether its job still has to end; else null. */
export const stateOfTask = async (
  { deps, run }: LedgerContext,
  message: MessageOf<'write_task'>,
): Promise<'ended' | 'open' | null> => {
  const { job_id: jobId, ordinal } = message.change;
  const job = await deps.files.noteTaskInvocation({ ...jobAddressIn(message, jobId), ordinal }, run.invocationId);
  if (job?.done.has(String(ordinal)) !== true) return null;
  return isDoneButOpen(job) ? 'open' : 'ended';
};

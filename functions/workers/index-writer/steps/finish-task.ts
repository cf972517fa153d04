import { isOpen, jobAddressIn, type JobRecord, statusesWithRows } from '../../../../shared/files/index.ts';
import type { LogMessage, MessageOf } from '../../../../shared/indexes/index.ts';
import type { Figures, Phase, TraceStep } from '../../../../shared/pipeline/steps.ts';
import type { Writing } from '../uses.ts';

/** Whether every task of a job has been counted into it. */
const isFull = ({ tasksTotal, done }: JobRecord): boolean => tasksTotal > 0 && done.size === tasksTotal;

/** Whether all tasks of a job are done, and whoever did the last of them may have died before the job was ended and counted. */
export const isLeftUnended = (job: JobRecord): boolean =>
  isFull(job) && !job.counted && (statusesWithRows.includes(job.status) || job.status === 'superseded');

/**
 * The job behind a batch; null where it does not want its rows any more, because it has ended early. While it is open, the
 * run is noted with the task before it does anything, so that it is counted wherever it dies; what has been told of a job
 * that has ended stands.
 */
export const takeUp = async ({ deps, run }: Writing, message: MessageOf<'write_task'>): Promise<JobRecord | null> => {
  const { job_id: jobId, ordinal } = message.change;
  const address = jobAddressIn(message, jobId);
  const job = await deps.files.get(address);
  if (job === null || !statusesWithRows.includes(job.status)) return null;
  if (isOpen(job) && !(await deps.files.noteWriter({ ...address, ordinal }, run.invocationId))) return null;
  return job;
};

const writePhase = 'index.write' satisfies Phase;

/** Marks a task whose rows are safe and counts it into its job. The job, where that was its last task. */
export const finishTask = async (
  { deps, run }: Writing,
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
 * Says of a task that is done how long its rows took to be written, where that has come after it. What took longer before
 * stays: whoever repeats a commit finds it done.
 */
export const noteWrite = async (
  { deps, run }: Writing,
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

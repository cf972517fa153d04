import {
  cleanUpEndedJob,
  needsCleanup,
  jobAddressIn,
  type JobRecord,
  type TaskAddress,
  taskAddressIn,
  type TaskMessage,
  type TaskRecord,
} from '../../../../shared/files/index.ts';
import { type IndexRecord, isLive } from '../../../../shared/indexes/index.ts';
import { boundTrace, type TraceStep } from '../../../../shared/pipeline/steps.ts';
import type { TaskContext } from '../uses.ts';

/** Claimed task with its job and index. */
export interface Claim {
  readonly address: TaskAddress;
  readonly job: JobRecord;
  readonly task: TaskRecord;
  readonly index: IndexRecord;
  readonly trace: TraceStep[];
}

/** Error: the job or the task ended during this run, so its results are not needed. */
export class TaskEnded extends Error {
  constructor() {
    super('the task has already ended');
    this.name = 'TaskEnded';
  }
}

/**
 * Claims the task of a message. Null if nothing remains to be done: a repeated message, an ended job, a deleted index.
 */
export const claimTask = async ({ deps, run }: TaskContext, message: TaskMessage): Promise<Claim | null> => {
  const address = taskAddressIn(message);
  const job = await deps.files.get(jobAddressIn(message, message.job_id));
  const index = await deps.indexes.get(message.organization_id, message.index_id);
  if (job !== null && needsCleanup(job)) await cleanUpEndedJob(deps, job, run.clock.now().toISOString());
  if (job?.status !== 'processing' || !isLive(index)) return null;
  const at = run.clock.now().toISOString();
  const task = await deps.files.startTask(address, { invocationId: run.invocationId, at });
  return task === null ? null : { address, job, task, index, trace: boundTrace(task.trace) };
};

/** Context in which the phases of a claimed task are traced. */
export const phaseOf = ({ run }: TaskContext, { task, trace }: Claim) => ({
  clock: run.clock,
  attempt: task.attemptCount,
  trace,
});

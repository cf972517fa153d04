import {
  closeEnded,
  isLeftOpen,
  jobAddressIn,
  type JobRecord,
  type TaskAddress,
  taskAddressIn,
  type TaskMessage,
  type TaskRecord,
} from '../../../../shared/files/index.ts';
import { type IndexRecord, isLive } from '../../../../shared/indexes/index.ts';
import { keptSteps, type TraceStep } from '../../../../shared/pipeline/steps.ts';
import type { Working } from '../uses.ts';

/** One claimed task and all that belongs to it. */
export interface Claim {
  readonly address: TaskAddress;
  readonly job: JobRecord;
  readonly task: TaskRecord;
  readonly index: IndexRecord;
  readonly trace: TraceStep[];
}

/** The job or the task ended while this run worked on it: what it has made so far is not wanted any more. */
export class TaskEnded extends Error {
  constructor() {
    super('the task has ended meanwhile');
    this.name = 'TaskEnded';
  }
}

/** Null where nothing is to be done any more: a repeated message, a job that has ended, an index that is gone. */
export const claimTask = async ({ deps, run }: Working, message: TaskMessage): Promise<Claim | null> => {
  const address = taskAddressIn(message);
  const job = await deps.files.get(jobAddressIn(message, message.job_id));
  const index = await deps.indexes.get(message.organization_id, message.index_id);
  if (job !== null && isLeftOpen(job)) await closeEnded(deps, job, run.clock.now().toISOString());
  if (job?.status !== 'processing' || !isLive(index)) return null;
  const at = run.clock.now().toISOString();
  const task = await deps.files.startTask(address, { invocationId: run.invocationId, at });
  return task === null ? null : { address, job, task, index, trace: keptSteps(task.trace) };
};

/** Where and when the phases of a claimed task are noted. */
export const phaseOf = ({ run }: Working, { task, trace }: Claim) => ({
  clock: run.clock,
  attempt: task.attemptCount,
  trace,
});

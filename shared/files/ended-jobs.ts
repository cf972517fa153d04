import type { IndexLog } from '../indexes/index.ts';
import type { FileWriter } from './contracts.ts';
import { completedStatuses, isCompleted, type JobAddress, type JobRecord } from './record.ts';
import type { JobStatus } from './schemas.ts';

const emptyEnds: ReadonlySet<string> = new Set(['failed', 'cancelled']);

/** Whether a job has ended without content. Its rows are removed, and its usage is counted with that. */
export const endedWithoutContent = ({ status }: Pick<JobRecord, 'status'>): boolean => emptyEnds.has(status);

/** Whether a job has ended without content and its cleanup may be incomplete. */
export const needsCleanup = (job: JobRecord): boolean =>
  !job.counted && (endedWithoutContent(job) || (job.status === 'completed_with_warnings' && job.tasksTotal === 0));

/** Statuses of a job whose rows are in the index or are about to be. */
export const statusesWithRows: readonly JobStatus[] = ['processing', ...completedStatuses];

/** Whether an ended job keeps its original. Otherwise any object at its key is deleted. */
export const keepsOriginal = (job: Pick<JobRecord, 'status' | 'sizeBytes' | 'originalDropped'>): boolean =>
  (isCompleted(job) || job.status === 'failed') && job.sizeBytes !== null && !job.originalDropped;

/**
 * Ends the tasks of a job that has ended without content. If the job had not begun, its tasks were never sent and are
 * removed, in line with its `tasks_total` of 0.
 */
const endTasks = (files: FileWriter, job: JobRecord, at: string): Promise<void> => {
  const { organizationId, id, status, error, tasksTotal } = job;
  if (tasksTotal === 0) return files.removeTasks(organizationId, id);
  return files.closeTasks(organizationId, id, { status: status === 'cancelled' ? 'cancelled' : 'failed', at, error });
};

/** Ends tasks that a planning run added after the job's end; removes them if the job is gone. */
export const endLateTasks = async (
  files: FileWriter,
  address: JobAddress,
  job: JobRecord | null,
  at: string,
): Promise<void> => {
  if (job === null) await files.removeTasks(address.organizationId, address.jobId);
  else if (endedWithoutContent(job)) await endTasks(files, job, at);
};

/**
 * Requests in the log of the index the removal of every row of a job that ended without content, and the count of its usage.
 * Rows of the job that arrive later find it ended and are dropped.
 */
export const requestRowRemoval = async (log: IndexLog, job: JobRecord): Promise<void> => {
  const index = { organizationId: job.organizationId, id: job.indexId, region: job.region };
  await log.append(index, { op: 'remove_job', job_id: job.id, counted: false }, `remove-${job.id}`);
};

/** Ends the tasks of a job that has ended without content, and requests the removal of its rows. Repeatable. */
export const cleanUpEndedJob = async (
  deps: { readonly files: FileWriter; readonly log: IndexLog },
  job: JobRecord,
  at: string,
): Promise<void> => {
  await endTasks(deps.files, job, at);
  await requestRowRemoval(deps.log, job);
};

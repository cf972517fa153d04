import type { IndexLog } from '../indexes/index.ts';
import type { FileWriter } from './contracts.ts';
import { completedStatuses, isCompleted, type JobAddress, type JobRecord } from './record.ts';
import type { JobStatus } from './schemas.ts';
import { takeBackRows } from './take-back-rows.ts';

const emptyEnds: ReadonlySet<string> = new Set(['failed', 'cancelled']);

/** Whether a job has ended without content: its rows are taken back, and with them it is counted. */
export const endedEmpty = ({ status }: Pick<JobRecord, 'status'>): boolean => emptyEnds.has(status);

/** Whether a job has ended without content, and whoever ended it may have died before the rest was done. */
export const isLeftOpen = (job: JobRecord): boolean =>
  !job.counted && (endedEmpty(job) || (job.status === 'completed_with_warnings' && job.tasksTotal === 0));

/** Statuses of a job whose rows are in the index, or will be at once. */
export const standingStatuses: readonly JobStatus[] = ['processing', ...completedStatuses];

/** Whether an ended job keeps its original: any other object at its key is deleted. */
export const keepsOriginal = (job: Pick<JobRecord, 'status' | 'sizeBytes' | 'originalDropped'>): boolean =>
  (isCompleted(job) || job.status === 'failed') && job.sizeBytes !== null && !job.originalDropped;

/**
 * Ends the tasks of a job that has ended without content. Of one that had not begun they are removed: it has none, as it
 * tells, and none of them was sent to anybody.
 */
const closeTasks = (files: FileWriter, job: JobRecord, at: string): Promise<void> => {
  const { organizationId, id, status, error, tasksTotal } = job;
  if (tasksTotal === 0) return files.removeTasks(organizationId, id);
  return files.closeTasks(organizationId, id, { status: status === 'cancelled' ? 'cancelled' : 'failed', at, error });
};

/** Ends the tasks that a job got from a run that planned it beside its end; removes them where the job is gone. */
export const closeLateTasks = async (
  files: FileWriter,
  address: JobAddress,
  job: JobRecord | null,
  at: string,
): Promise<void> => {
  if (job === null) await files.removeTasks(address.organizationId, address.jobId);
  else if (endedEmpty(job)) await closeTasks(files, job, at);
};

/** Ends the tasks of a job that has ended without content, and has its rows removed. May be repeated. */
export const closeEnded = async (
  deps: { readonly files: FileWriter; readonly log: IndexLog },
  job: JobRecord,
  at: string,
): Promise<void> => {
  await closeTasks(deps.files, job, at);
  await takeBackRows(deps.log, job);
};

import type { FileWriter } from './contracts.ts';
import type { JobRecord } from './record.ts';
import { type IndexLog, takeBackRows } from './take-back-rows.ts';

/** Jobs that have ended without content. */
const emptyEnds: ReadonlySet<string> = new Set(['failed', 'cancelled']);

/** Whether a job has ended without content, and whoever ended it may have died before the rest was done. */
export const isLeftOpen = ({ status, counted, tasksTotal }: JobRecord): boolean =>
  !counted && (emptyEnds.has(status) || (status === 'completed_with_warnings' && tasksTotal === 0));

/** Ends the tasks of a job that has ended without content, and has its rows removed. May be repeated. */
export const closeEnded = async (
  deps: { readonly files: FileWriter; readonly log: IndexLog },
  job: JobRecord,
  at: string,
): Promise<void> => {
  const status = job.status === 'cancelled' ? 'cancelled' : 'failed';
  await deps.files.closeTasks(job.organizationId, job.id, status, at, job.error);
  await takeBackRows(deps.log, job);
};

import { type JobRecord, settleEndedTasks } from '../../../../shared/files/index.ts';
import type { IndexRecord } from '../../../../shared/indexes/index.ts';
import type { Writing } from './writing.ts';

const pageSize = 100;

/** Ends a job whose index is dropped, so that it uses nothing more, and gives back the credits that its tasks hold. */
const closeJob = async ({ deps, run }: Writing, { organizationId, id: jobId }: JobRecord): Promise<void> => {
  const at = run.clock.now().toISOString();
  await deps.files.closeTasks(organizationId, jobId, 'cancelled', at, null);
  await settleEndedTasks(deps.credits, await deps.files.tasks(organizationId, jobId));
};

/** Closes every job of an index that is not in the books, before all of them are removed. */
export const closeJobs = async (writing: Writing, { organizationId, id }: IndexRecord): Promise<void> => {
  let after: string | null = null;
  do {
    const { jobs, next } = await writing.deps.files.list(organizationId, id, { limit: pageSize, after });
    for (const job of jobs.filter(({ counted }) => !counted)) await closeJob(writing, job);
    after = next;
  } while (after !== null);
};

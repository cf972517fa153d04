import { addressOfJob, isOpen, type JobRecord, toProcessing } from '../../../../shared/files/index.ts';
import type { IndexRecord } from '../../../../shared/indexes/index.ts';
import { countEndedJob } from './count-job.ts';
import type { Writing } from './writing.ts';

const pageSize = 100;

/** Ends a job whose index is dropped, so that it uses nothing more, and counts what it has used. */
const closeJob = async (writing: Writing, job: JobRecord): Promise<void> => {
  const { deps, run } = writing;
  const at = run.clock.now().toISOString();
  // One that is just taking the place of another cannot be cancelled: it counts with its rows.
  if (isOpen(job)) {
    const processing = toProcessing(job, await deps.files.tasks(job.organizationId, job.id), at);
    await deps.files.cancel(addressOfJob(job), { processing, at });
  }
  await deps.files.closeTasks(job.organizationId, job.id, 'cancelled', at, null);
  await countEndedJob(writing, addressOfJob(job));
};

/** Closes every job of an index that is not in the books, before all of them are removed. */
export const closeJobs = async (writing: Writing, { organizationId, id }: IndexRecord): Promise<void> => {
  let after: string | null = null;
  do {
    const { jobs, next } = await writing.deps.files.list(organizationId, id, {
      limit: pageSize,
      after,
      withRemoved: true,
    });
    for (const job of jobs.filter(({ counted }) => !counted)) await closeJob(writing, job);
    after = next;
  } while (after !== null);
};

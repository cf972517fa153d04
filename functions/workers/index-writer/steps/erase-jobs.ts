import { addressOfJob, isOpen, type JobRecord, toProcessing } from '../../../../shared/files/index.ts';
import type { IndexRecord } from '../../../../shared/indexes/index.ts';
import { indexPrefixes } from '../../../../shared/kernel/content-keys.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { countEndedJob } from './count-job.ts';
import type { Writing } from '../uses.ts';
import { isShortOfTime } from './limits.ts';

const pageSize = 100;
/** Maximum jobs that are deleted concurrently, with about six requests each. */
const removedAtOnce = 10;

/** Ends a job of a deleted index, so that it uses nothing more, and counts its usage. */
const closeJob = async (writing: Writing, job: JobRecord): Promise<void> => {
  const { deps, run } = writing;
  const at = run.clock.now().toISOString();
  // A job that is replacing another cannot be cancelled. It counts with its rows.
  if (isOpen(job)) {
    const processing = toProcessing(job, await deps.files.tasks(job.organizationId, job.id), at);
    await deps.files.cancel(addressOfJob(job), { processing, at });
  }
  await deps.files.closeTasks(job.organizationId, job.id, { status: 'cancelled', at, error: null });
  await countEndedJob(writing, addressOfJob(job));
};

/**
 * Ends, counts and deletes every job of a deleted index, and its files last. Each page is deleted before the next is read,
 * so that every killed run makes progress, for any number of jobs.
 * @returns Whether all are deleted; false if the run is out of time.
 */
export const eraseJobs = async (writing: Writing, { organizationId, id, region }: IndexRecord): Promise<boolean> => {
  const { files, events, stored, originals } = writing.deps;
  for (;;) {
    const page = await files.list(organizationId, id, { limit: pageSize, after: null, withRemoved: true });
    // Sequential, because each changes the counters of the index. A job is deleted only after it is counted.
    for (const job of page.jobs.filter(({ counted }) => !counted)) await closeJob(writing, job);
    await inParallel(page.jobs, removedAtOnce, async (job) => {
      await originals.release(job.organizationId, job.id);
      await files.remove(addressOfJob(job), events);
    });
    if (page.next === null) break;
    if (isShortOfTime(writing)) return false;
  }
  // Deleted by prefix, a thousand files a request. A repeat after a killed run finds them by the index.
  for (const prefix of indexPrefixes({ organizationId, indexId: id })) await stored.deleteAll(region, prefix);
  return true;
};

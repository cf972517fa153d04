import { addressOfJob, closeJob, type JobRecord } from '../../../../shared/files/index.ts';
import type { IndexRecord } from '../../../../shared/indexes/index.ts';
import { indexPrefixes } from '../../../../shared/kernel/content-keys.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { countEndedJob } from './count-job.ts';
import type { Writing } from '../uses.ts';
import { isShortOfTime } from './limits.ts';

const pageSize = 100;
/** Maximum jobs that are deleted concurrently, with about six requests each. */
const removedAtOnce = 10;

/** Ends a job of a deleted index and counts its usage. A job that is replacing another counts with its rows. */
const endAndCount = async (writing: Writing, job: JobRecord): Promise<void> => {
  await closeJob(writing.deps.files, job, writing.run.clock.now().toISOString());
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
    for (const job of page.jobs.filter(({ counted }) => !counted)) await endAndCount(writing, job);
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

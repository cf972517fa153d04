import { addressOfJob, closeJob } from '../../../../shared/files/index.ts';
import type { IndexRecord } from '../../../../shared/indexes/index.ts';
import { indexPrefixes } from '../../../../shared/kernel/content-keys.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { countJob } from '../../../../shared/ledger/index.ts';
import type { Deleting } from '../uses.ts';

const pageSize = 100;
/** Maximum jobs that are deleted concurrently, with about six requests each. */
const removedAtOnce = 10;

/** Remaining milliseconds below which a run reads no further page. */
const reserveMs = 60_000;

/**
 * Ends, counts and deletes every job of a deleted index, and its files last. Each page is deleted before the next is read,
 * so that every killed run makes progress, for any number of jobs.
 * @returns Whether all are deleted; false if the run is out of time.
 */
export const eraseJobs = async (
  { deps, run }: Deleting,
  { organizationId, id, region }: IndexRecord,
): Promise<boolean> => {
  const { files, events, stored, originals } = deps;
  for (;;) {
    const page = await files.list(organizationId, id, { limit: pageSize, after: null, withRemoved: true });
    // Sequential, because each changes the counters of the index. A job is deleted only after it is counted.
    for (const job of page.jobs.filter(({ counted }) => !counted)) {
      await closeJob(files, job, run.clock.now().toISOString());
      await countJob(deps, addressOfJob(job), run.clock);
    }
    await inParallel(page.jobs, removedAtOnce, async (job) => {
      await originals.release(job.organizationId, job.id);
      await files.remove(addressOfJob(job), events);
    });
    if (page.next === null) break;
    if (run.remainingMs() < reserveMs) return false;
  }
  // Deleted by prefix, a thousand files a request. A repeat after a killed run finds them by the index.
  for (const prefix of indexPrefixes({ organizationId, indexId: id })) await stored.deleteAll(region, prefix);
  return true;
};

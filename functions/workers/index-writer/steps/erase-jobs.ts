import { addressOfJob, isOpen, type JobRecord, toProcessing } from '../../../../shared/files/index.ts';
import type { IndexRecord } from '../../../../shared/indexes/index.ts';
import { indexPrefixes } from '../../../../shared/kernel/content-keys.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { countEndedJob } from './count-job.ts';
import type { Writing } from '../uses.ts';
import { isShort } from './limits.ts';

const pageSize = 100;
/** Each takes half a dozen requests, one after the other. */
const removedAtOnce = 10;

/** Ends a job whose index is dropped, so that it uses nothing more, and counts what it has used. */
const closeJob = async (writing: Writing, job: JobRecord): Promise<void> => {
  const { deps, run } = writing;
  const at = run.clock.now().toISOString();
  // One that is just taking the place of another cannot be cancelled: it counts with its rows.
  if (isOpen(job)) {
    const processing = toProcessing(job, await deps.files.tasks(job.organizationId, job.id), at);
    await deps.files.cancel(addressOfJob(job), { processing, at });
  }
  await deps.files.closeTasks(job.organizationId, job.id, { status: 'cancelled', at, error: null });
  await countEndedJob(writing, addressOfJob(job));
};

/**
 * Ends every job of an index that is dropped, counts it and removes it, with its files last. A page is gone before the next
 * is read, so that a run that is killed leaves less to the one after it, however many jobs there are.
 * @returns Whether all are gone; false where the run has no time for more.
 */
export const eraseJobs = async (writing: Writing, { organizationId, id, region }: IndexRecord): Promise<boolean> => {
  const { files, events, stored } = writing.deps;
  for (;;) {
    const page = await files.list(organizationId, id, { limit: pageSize, after: null, withRemoved: true });
    // One after the other, as the account of the index changes; what is counted goes only then.
    for (const job of page.jobs.filter(({ counted }) => !counted)) await closeJob(writing, job);
    await inParallel(page.jobs, removedAtOnce, (job) => files.remove(addressOfJob(job), events));
    if (page.next === null) break;
    if (isShort(writing)) return false;
  }
  // All at once, which takes a request for a thousand of them; a run that dies before that finds them by the index.
  for (const prefix of indexPrefixes({ organizationId, indexId: id })) await stored.deleteAll(region, prefix);
  return true;
};

import { recordEvents } from '../events/index.ts';
import { awaitReceipt, indexesRead, logSend } from '../indexes/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Deps } from '../kernel/capability.ts';
import { contentWriter } from '../platform/aws/content.ts';
import { settleJob } from './cancel.ts';
import { filesWrite } from './capabilities.ts';
import type { JobRecord } from './record.ts';

/** What removing jobs may touch. */
export const removeJobsUses = {
  indexes: indexesRead,
  files: filesWrite,
  events: recordEvents('files'),
  log: logSend,
  content: contentWriter,
};

type RemoveDeps = Deps<typeof removeJobsUses>;

/** Forgets a job that has no rows: its file, its tasks and its record. May be repeated. */
export const forgetJob = async (
  deps: Pick<RemoveDeps, 'content' | 'files' | 'events'>,
  job: JobRecord,
): Promise<void> => {
  const { organizationId, indexId, id: jobId } = job;
  await deps.content.deleteAll(job.region, `uploads/${organizationId}/${indexId}/${jobId}/`);
  await deps.files.remove({ organizationId, indexId, jobId }, deps.events);
};

/**
 * Removes jobs of one index with their files and rows for good, after those that have not ended were cancelled. Resolves
 * once no search finds a row; may be repeated. Throws 409 where one is just taking the place of another job, and 503 where
 * the index does not get to it in time.
 */
export const removeJobs = async (deps: RemoveDeps, jobs: readonly JobRecord[], clock: Clock): Promise<void> => {
  const awaited: (() => Promise<unknown>)[] = [];
  for (const job of jobs) {
    await settleJob(deps, job, clock);
    const index = { organizationId: job.organizationId, id: job.indexId, region: job.region };
    // Each call asks anew, because an answer is kept for a day and may have been a refusal.
    const receiptId = await deps.log.append(index, { op: 'remove_job', job_id: job.id, counted: true });
    awaited.push(() => awaitReceipt(deps.indexes, index, receiptId));
  }
  for (const receipt of awaited) await receipt();
  for (const job of jobs) await forgetJob(deps, job);
};

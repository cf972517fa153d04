import type { IndexLog } from '../indexes/index.ts';
import type { JobRecord } from './record.ts';

/**
 * Asks the log of the index to remove every row of a job that has ended without them, and to count what the job used.
 * Rows of the job that are still on their way find it ended and are dropped.
 */
export const takeBackRows = async (log: IndexLog, job: JobRecord): Promise<void> => {
  const index = { organizationId: job.organizationId, id: job.indexId, region: job.region };
  await log.append(index, { op: 'remove_job', job_id: job.id, counted: false }, `remove-${job.id}`);
};

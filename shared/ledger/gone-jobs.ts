import { isCompleted, isOpen } from '../files/index.ts';
import type { IndexRecord } from '../indexes/index.ts';
import { timeOf } from '../kernel/ids.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import type { LedgerContext } from './context.ts';

const readAtOnce = 16;

/**
 * Returns which of some jobs have no content any more: those that were deleted, replaced or ended without it. A job from before
 * a branch was created may be one of its parent, whose rows the branch keeps.
 */
export const goneJobs = async (
  { deps }: LedgerContext,
  { organizationId, id: indexId, parentIndexId, createdAt }: IndexRecord,
  jobIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const found = await inParallel(jobIds, readAtOnce, async (jobId): Promise<readonly string[]> => {
    const job = await deps.files.get({ organizationId, indexId, jobId });
    if (job === null) return parentIndexId !== null && timeOf(jobId).toISOString() <= createdAt ? [] : [jobId];
    return !job.removed && (isOpen(job) || isCompleted(job)) ? [] : [jobId];
  });
  return new Set(found.flat());
};

import { notFound } from '../kernel/errors.ts';
import { type IndexReader, type IndexRecord, isLive, requireIndex } from '../indexes/index.ts';
import type { FileReader } from './contracts.ts';
import type { JobAddress, JobRecord } from './record.ts';

interface RequireDeps {
  readonly indexes: IndexReader;
  readonly files: FileReader;
}

/** Returns the job of an existing index, even if it is being deleted. Throws 404. */
export const requireStoredJob = async (deps: RequireDeps, address: JobAddress): Promise<JobRecord> => {
  await requireIndex(deps.indexes, address.organizationId, address.indexId);
  const job = await deps.files.get(address);
  if (job === null) throw notFound('File job');
  return job;
};

/** Returns the job of an existing index. Throws 404. */
export const requireJob = async (deps: RequireDeps, address: JobAddress): Promise<JobRecord> => {
  const job = await requireStoredJob(deps, address);
  if (job.removed) throw notFound('File job');
  return job;
};

/** Whether the rows of a job were in an index when a branch of it was created. */
const isInherited = ({ completedAt }: JobRecord, branch: IndexRecord): boolean =>
  completedAt !== null && completedAt <= branch.createdAt;

/**
 * Returns the job that wrote rows of an index: its own, or one that an ancestor had completed before the index branched from
 * it. Throws 404.
 */
export const requireCitedJob = async (deps: RequireDeps, address: JobAddress): Promise<JobRecord> => {
  const { organizationId, jobId } = address;
  let branch: IndexRecord | null = null;
  let index = await requireIndex(deps.indexes, organizationId, address.indexId);
  for (;;) {
    const job = await deps.files.get({ organizationId, indexId: index.id, jobId });
    if (job !== null) {
      if (job.removed || (branch !== null && !isInherited(job, branch))) break;
      return job;
    }
    const parent = index.parentIndexId === null ? null : await deps.indexes.get(organizationId, index.parentIndexId);
    if (!isLive(parent)) break;
    [branch, index] = [index, parent];
  }
  throw notFound('File job');
};

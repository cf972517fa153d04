import { notFound } from '../kernel/errors.ts';
import { type IndexReader, requireIndex } from '../indexes/index.ts';
import type { FileReader } from './contracts.ts';
import type { JobAddress, JobRecord } from './record.ts';

interface RequireDeps {
  readonly indexes: IndexReader;
  readonly files: FileReader;
}

/** The job of an index that still exists, also while it is being deleted, or 404. */
export const requireStoredJob = async (deps: RequireDeps, address: JobAddress): Promise<JobRecord> => {
  await requireIndex(deps.indexes, address.organizationId, address.indexId);
  const job = await deps.files.get(address);
  if (job === null) throw notFound('File job');
  return job;
};

/** The job of an index that still exists, or 404. */
export const requireJob = async (deps: RequireDeps, address: JobAddress): Promise<JobRecord> => {
  const job = await requireStoredJob(deps, address);
  if (job.removed) throw notFound('File job');
  return job;
};

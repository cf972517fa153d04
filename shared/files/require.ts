import { notFound } from '../kernel/errors.ts';
import { type IndexReader, requireIndex } from '../indexes/index.ts';
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

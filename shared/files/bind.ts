import { ValidationFailure, valueProblem } from '../kernel/errors.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';
import { boundMetadata, boundsProblem, filterOf, matcherOf } from '#engine';
import type { FileReader, FileWriter } from './contracts.ts';
import type { JobRecord } from './record.ts';

/** Returns whether a job is visible to a caller who is bound to rows: its metadata is that of its rows. */
const visibleTo = (bounds: RowBounds): ((job: JobRecord) => boolean) => {
  const matches = matcherOf(filterOf(bounds), { nonFilterableKeys: [] });
  return ({ metadata }) => matches(metadata);
};

/** Jobs of one page of a count. */
const pageJobs = 1_000;

/** Returns a reader of jobs as it serves a caller who is bound to rows. */
export const bindFileReader = (files: FileReader, bounds: RowBounds): FileReader => {
  const isVisible = visibleTo(bounds);
  // One call reads a limited number of jobs, so that a page may have none of the visible ones.
  const list: FileReader['list'] = (organizationId, indexId, { filter, ...page }) =>
    files.list(organizationId, indexId, { ...page, filter: { ...filter, isVisible } });
  const jobsOf = async function* (organizationId: string, indexId: string): AsyncGenerator<JobRecord> {
    let after: string | null = null;
    do {
      const page = await list(organizationId, indexId, { limit: pageJobs, after });
      yield* page.jobs;
      after = page.next;
    } while (after !== null);
  };
  return {
    ...files,
    get: async (address) => {
      const job = await files.get(address);
      return job !== null && isVisible(job) ? job : null;
    },
    list,
    statuses: async (organizationId, indexId, limit) => {
      const found: JobRecord['status'][] = [];
      for await (const { status } of jobsOf(organizationId, indexId)) {
        if (found.length === limit) break;
        found.push(status);
      }
      return found;
    },
    countCompleted: () => Promise.reject(new TypeError('the number of documents is one of the whole index')),
  };
};

/** Returns a job that a caller may create within bounds. Throws 422. */
const boundJob = (job: JobRecord, bounds: RowBounds): JobRecord => {
  const metadata = boundMetadata(job.metadata, bounds);
  const problem = boundsProblem(metadata, bounds);
  if (problem !== null) throw new ValidationFailure([valueProblem(['body', 'metadata'], problem)]);
  return { ...job, metadata, bounds };
};

/** Returns a store of jobs as it serves a caller who is bound to rows. The rows of its jobs have the same bounds. */
export const bindFileWriter = (files: FileWriter, bounds: RowBounds): FileWriter => ({
  ...files,
  ...bindFileReader(files, bounds),
  add: (job) => files.add(boundJob(job, bounds)),
  // Before anything is reserved.
  recordName: async (job, seen) => files.recordName(boundJob(job, bounds), seen),
  jobsNamed: async (file) => {
    const { jobs, last } = await files.jobsNamed(file);
    const isVisible = visibleTo(bounds);
    const { organizationId, indexId } = file;
    const found = await Promise.all(jobs.map(({ jobId }) => files.get({ organizationId, indexId, jobId })));
    return { jobs: jobs.filter((_, at) => found[at] == null || isVisible(found[at])), last };
  },
});

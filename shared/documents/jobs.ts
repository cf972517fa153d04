import { forgetJob, isCompleted, isOpen, type JobRecord, settleJob } from '../files/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { DocumentDeps } from './capabilities.ts';
import type { DocumentRecord, Owner } from './record.ts';

/** Whether the content of a job is in the index, or that of whoever took its place. */
export const hasContent = (job: JobRecord): boolean =>
  !job.removed && (isCompleted(job) || job.status === 'superseded');

/** Where a job of a document is kept. */
export const jobAddress = ({ organizationId, indexId }: Owner, jobId: string) => ({ organizationId, indexId, jobId });

/** Every job that carries the document or did, the newest first, with those that people let take its place. */
export const jobsOf = async (
  deps: DocumentDeps,
  owner: Owner,
  document: DocumentRecord,
): Promise<readonly JobRecord[]> => {
  const jobs = new Map<string, JobRecord>();
  const waiting = [document.jobId, ...document.olderJobIds];
  for (const jobId of waiting) {
    const job = jobs.has(jobId) ? null : await deps.files.get(jobAddress(owner, jobId));
    if (job === null) continue;
    jobs.set(jobId, job);
    if (job.replacedByJobId !== null) waiting.push(job.replacedByJobId);
  }
  return [...jobs.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1));
};

/**
 * Ends what is on its way for a document. The job whose rows stand then, null where none do. Throws 409 where a job is just
 * taking the place of another.
 */
export const settle = async (
  deps: DocumentDeps,
  owner: Owner,
  document: DocumentRecord,
  clock: Clock,
): Promise<JobRecord | null> => {
  for (const job of await jobsOf(deps, owner, document)) {
    await settleJob(deps, job, clock);
  }
  return (await jobsOf(deps, owner, document)).find((job) => isCompleted(job) && !job.removed) ?? null;
};

/** Clears away jobs that carried a document before, once nothing is left to be said of them. */
export const clearOlderJobs = async (deps: DocumentDeps, owner: Owner, document: DocumentRecord): Promise<void> => {
  const gone: string[] = [];
  for (const jobId of document.olderJobIds) {
    const job = await deps.files.get(jobAddress(owner, jobId));
    if (job !== null && (isOpen(job) || isCompleted(job) || !job.counted)) continue;
    if (job?.replacedByJobId != null && !isKnown(document, job.replacedByJobId)) continue;
    if (job !== null) await forgetJob(deps, job);
    gone.push(jobId);
  }
  if (gone.length > 0) await deps.documents.forgetJobs(owner, document.externalId, gone);
};

const isKnown = ({ jobId, olderJobIds }: DocumentRecord, id: string): boolean => id === jobId || olderJobIds.has(id);

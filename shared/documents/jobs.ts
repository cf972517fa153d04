import { purgeJob, isCompleted, isOpen, type JobRecord, cancelIfOpen } from '../files/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { DocumentDeps } from './capabilities.ts';
import type { DocumentRecord, Owner } from './record.ts';

/** Whether the content of a job, or that of its replacement, is in the index. */
export const hasContent = (job: JobRecord): boolean =>
  !job.removed && (isCompleted(job) || job.status === 'superseded');

/** Address of a document's job. */
export const jobAddress = ({ organizationId, indexId }: Owner, jobId: string) => ({ organizationId, indexId, jobId });

/** All present and earlier jobs of the document, newest first, including replacements that users made. */
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
 * Cancels the open jobs of a document. Returns the job whose rows are in the index, null if there is none. Throws 409
 * if a job is just replacing another.
 */
export const cancelOpenJobs = async (
  deps: DocumentDeps,
  owner: Owner,
  document: DocumentRecord,
  clock: Clock,
): Promise<JobRecord | null> => {
  for (const job of await jobsOf(deps, owner, document)) {
    await cancelIfOpen(deps, job, clock);
  }
  return (await jobsOf(deps, owner, document)).find((job) => isCompleted(job) && !job.removed) ?? null;
};

/** Deletes earlier jobs of a document that are fully accounted for. */
export const clearOlderJobs = async (deps: DocumentDeps, owner: Owner, document: DocumentRecord): Promise<void> => {
  const gone: string[] = [];
  for (const jobId of document.olderJobIds) {
    const job = await deps.files.get(jobAddress(owner, jobId));
    if (job !== null && (isOpen(job) || isCompleted(job) || !job.counted)) continue;
    if (job?.replacedByJobId != null && !isKnown(document, job.replacedByJobId)) continue;
    if (job !== null) await purgeJob(deps, job);
    gone.push(jobId);
  }
  if (gone.length > 0) await deps.documents.forgetJobs(owner, document.externalId, gone);
};

const isKnown = ({ jobId, olderJobIds }: DocumentRecord, id: string): boolean => id === jobId || olderJobIds.has(id);

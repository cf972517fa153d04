import type { JobRecord } from '../files/index.ts';
import { dayMs } from '../kernel/durations.ts';
import { newId, timeOf } from '../kernel/ids.ts';
import { monthOf } from '../usage/index.ts';
import type { DocumentRecord, Source } from './record.ts';

/** Jobs for one version of a document that follow each other immediately. After them the delay doubles. */
const immediateAttempts = 3;
const firstPauseMs = dayMs;
const maxDoublings = 6;

/** Whether a job counts against the quota of the current month. */
const isOfThisMonth = (jobId: string, now: Date): boolean =>
  monthOf(timeOf(jobId).toISOString()) === monthOf(now.toISOString());

/** Whether a job failed because of a monthly quota. */
const isAtLimit = ({ errorCode }: JobRecord): boolean => errorCode === 'multimodal_credit_limit_reached';

/** Whether a user has resumed the source since a job was created. */
const isBeforeRetryRequest = ({ retryFrom }: Source, jobId: string): boolean =>
  retryFrom != null && timeOf(jobId) < retryFrom;

/** Whether a failed job is retried by another one. */
export const shouldRetry = (
  source: Source,
  { jobId, attempts }: DocumentRecord,
  job: JobRecord,
  now: Date,
): boolean => {
  if (isBeforeRetryRequest(source, jobId)) return true;
  if (isAtLimit(job)) return !isOfThisMonth(jobId, now);
  if (attempts < immediateAttempts) return true;
  const pauseMs = firstPauseMs * 2 ** Math.min(attempts - immediateAttempts, maxDoublings);
  return now.getTime() - timeOf(jobId).getTime() >= pauseMs;
};

/**
 * Returns the id of the document's next job. A recorded job that was never stored keeps its id, even if the content has
 * changed. After its month it gets a new id, since the quota of that month may have refused it.
 */
export const nextJobId = (
  existing: DocumentRecord | null,
  version: string,
  job: JobRecord | null,
  now: Date,
): string => {
  if (existing === null || existing.isStored) return newId('job', now);
  const unfinished =
    job === null
      ? isOfThisMonth(existing.jobId, now)
      : existing.version === version && job.status === 'awaiting_upload';
  return unfinished ? existing.jobId : newId('job', now);
};

/**
 * Number of the attempt for this version of a document. A job that failed because of a monthly quota does not count.
 */
export const attemptNumber = (
  source: Source,
  existing: DocumentRecord | null,
  version: string,
  job: JobRecord | null,
  jobId: string,
) => {
  if (existing === null || existing.version !== version || isBeforeRetryRequest(source, existing.jobId)) return 1;
  return existing.attempts + (existing.jobId === jobId || (job !== null && isAtLimit(job)) ? 0 : 1);
};

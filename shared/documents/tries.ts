import type { JobRecord } from '../files/index.ts';
import { dayMs } from '../kernel/durations.ts';
import { newId, timeOf } from '../kernel/ids.ts';
import { monthOf } from '../usage/index.ts';
import type { DocumentRecord, Source } from './record.ts';

/** Jobs for one version of a document that follow each other at once; from then on, ever more rarely. */
const promptTries = 3;
const firstPauseMs = dayMs;
const mostDoublings = 6;

/** Whether a job is taken from the allowance of the month that runs. */
const isOfThisMonth = (jobId: string, now: Date): boolean =>
  monthOf(timeOf(jobId).toISOString()) === monthOf(now.toISOString());

/** Whether a job failed at an allowance that each month brings anew. */
const isAtLimit = ({ errorCode }: JobRecord): boolean => errorCode === 'multimodal_credit_limit_reached';

/** Whether a person has asked to go on since a job was begun. */
const isForgiven = ({ triesFrom }: Source, jobId: string): boolean => triesFrom != null && timeOf(jobId) < triesFrom;

/** Whether another job may do better than one that came to nothing. */
export const isWorthAnother = (
  source: Source,
  { jobId, tries }: DocumentRecord,
  job: JobRecord,
  now: Date,
): boolean => {
  if (isForgiven(source, jobId)) return true;
  if (isAtLimit(job)) return !isOfThisMonth(jobId, now);
  if (tries < promptTries) return true;
  const pauseMs = firstPauseMs * 2 ** Math.min(tries - promptTries, mostDoublings);
  return now.getTime() - timeOf(jobId).getTime() >= pauseMs;
};

/**
 * A job that was begun and never stored is still to be made, whatever it is to carry by now; but not once its month is
 * over, whose allowance may be what it was refused for.
 */
export const nextJobId = (known: DocumentRecord | null, version: string, job: JobRecord | null, now: Date): string => {
  if (known === null || known.made) return newId('job', now);
  const unfinished =
    job === null ? isOfThisMonth(known.jobId, now) : known.version === version && job.status === 'awaiting_upload';
  return unfinished ? known.jobId : newId('job', now);
};

/** Which try for this version of a document a job is; one that failed at an allowance was none. */
export const triesOf = (
  source: Source,
  known: DocumentRecord | null,
  version: string,
  job: JobRecord | null,
  jobId: string,
) => {
  if (known === null || known.version !== version || isForgiven(source, known.jobId)) return 1;
  return known.tries + (known.jobId === jobId || (job !== null && isAtLimit(job)) ? 0 : 1);
};

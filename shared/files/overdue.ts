import { laterBy } from '../kernel/clock.ts';
import { dayMs, hourMs, minuteMs } from '../kernel/durations.ts';
import type { Attributes, Key } from '../db/contracts.ts';
import { dueBy } from '../db/due.ts';
import type { JobAddress, JobRecord } from './record.ts';

/** Time of the first check: the upload URL has expired, and most transfers have ended. */
const uploadTimeoutMs = hourMs;
/** Deadline of an upload: the URL was valid for minutes, and the rest allows for slow connections. */
const uploadDeadlineMs = dayMs;
/** Longer than all attempts of the queue at a message: if it is exceeded, the message was lost. */
const planTimeoutMs = 30 * minuteMs;
const taskTimeoutMs = hourMs;
/** Longer than a request waits for a deletion, and rare enough for a log with a backlog. */
const removalTimeoutMs = 10 * minuteMs;

/** Kinds of overdue work in the files table. Unsent events are another kind, which the outbox handles. */
export type Overdue = 'jobs' | 'tasks' | 'ends' | 'removals';

interface Owned {
  readonly organizationId: string;
}

const due =
  (kind: Overdue, timeoutMs: number) =>
  ({ organizationId }: Owned, from: string): Attributes =>
    dueBy(kind, organizationId, laterBy(from, timeoutMs));

/** Attributes of a job that was created at `from` and awaits its upload. */
export const overdueUpload = due('jobs', uploadTimeoutMs);

/** The same after the first check; the second is the last. */
export const endOfUpload = due('jobs', uploadDeadlineMs);

/** Whether the upload deadline of a job has passed. */
export const isUploadOver = ({ createdAt }: Pick<JobRecord, 'createdAt'>, now: Date): boolean =>
  now >= laterBy(createdAt, uploadDeadlineMs);

/** Attributes of a job that awaits its plan. */
export const overduePlan = due('jobs', planTimeoutMs);

/** Attributes of a task that is queued or running. */
export const overdueTask = due('tasks', taskTimeoutMs);

/** Attributes of the note of a job that is about to end without content. */
export const overdueEnd = due('ends', planTimeoutMs);

/** Attributes of the note of a job that is being deleted. */
export const overdueRemoval = due('removals', removalTimeoutMs);

/** Attributes of the note of a job that expires at a time. */
export const dueToExpire = ({ organizationId }: Owned, at: string): Attributes =>
  dueBy('removals', organizationId, new Date(at));

/** Converts the key of a job, or of the note of its end or deletion, to the job's address. */
export const jobAddressAt = ({ pk, sk }: Key): JobAddress => {
  const [, organizationId = '', indexId = ''] = pk.split('#');
  return { organizationId, indexId, jobId: sk };
};

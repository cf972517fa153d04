import { laterBy } from '../kernel/clock.ts';
import { dayMs, hourMs, minuteMs } from '../kernel/durations.ts';
import type { Attributes, Key } from '../db/contracts.ts';
import { dueBy } from '../db/due.ts';
import type { JobAddress, JobRecord } from './record.ts';

/** The upload address has expired by then, and a transfer that had begun has ended on most lines. */
const uploadPatienceMs = hourMs;
/** A file that has not come by then never will: the address was valid for minutes, the rest is for slow lines. */
const uploadEndMs = dayMs;
/** More than the queue takes for all attempts at a message: what is overdue then has lost it. */
const planPatienceMs = 30 * minuteMs;
const taskPatienceMs = hourMs;
/** More than whoever began a deletion waits for it, and seldom enough for a log that is behind. */
const removalPatienceMs = 10 * minuteMs;

/** Kinds of overdue work in the table of files; events on their way out are another, which the outbox looks after. */
export type Overdue = 'jobs' | 'tasks' | 'ends' | 'removals';

interface Owned {
  readonly organizationId: string;
}

const due =
  (kind: Overdue, patienceMs: number) =>
  ({ organizationId }: Owned, from: string): Attributes =>
    dueBy(kind, organizationId, laterBy(from, patienceMs));

/** Marks a job that was created at `from` and awaits its upload. */
export const overdueUpload = due('jobs', uploadPatienceMs);

/** Marks the same after the first look: the second is the last. */
export const endOfUpload = due('jobs', uploadEndMs);

/** Whether the time for the upload of a job is over. */
export const isUploadOver = ({ createdAt }: Pick<JobRecord, 'createdAt'>, now: Date): boolean =>
  now >= laterBy(createdAt, uploadEndMs);

/** Marks a job that awaits its plan. */
export const overduePlan = due('jobs', planPatienceMs);

/** Marks a task that awaits a worker or is worked on. */
export const overdueTask = due('tasks', taskPatienceMs);

/** Marks the note of a job that is about to end without content. */
export const overdueEnd = due('ends', planPatienceMs);

/** Marks the note of a job that is being deleted. */
export const overdueRemoval = due('removals', removalPatienceMs);

/** The address of a job by its key, or by that of a note of its end or its deletion. */
export const jobAddressAt = ({ pk, sk }: Key): JobAddress => {
  const [, organizationId = '', indexId = ''] = pk.split('#');
  return { organizationId, indexId, jobId: sk };
};

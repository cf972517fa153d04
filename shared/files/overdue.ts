import { laterBy } from '../kernel/clock.ts';
import { hourMs, minuteMs } from '../kernel/durations.ts';
import type { Attributes, Key } from '../db/contracts.ts';
import { dueBy } from '../db/due.ts';
import type { JobAddress } from './record.ts';

/** An upload that has come by then has lost its notification, or is on a slow line. */
const uploadPatienceMs = hourMs;
/** More than the queue takes for all attempts at a message: what is overdue then has lost it. */
const planPatienceMs = 30 * minuteMs;
const taskPatienceMs = hourMs;
/** More than whoever began a deletion waits for it, and seldom enough for a log that is behind. */
const removalPatienceMs = 10 * minuteMs;

/** Kinds of overdue work in the table of files; events on their way out are another, which the outbox looks after. */
export type Overdue = 'jobs' | 'tasks' | 'ends' | 'removals';

const due = (kind: Overdue, from: string, patienceMs: number): Attributes => dueBy(kind, laterBy(from, patienceMs));

/** Marks a job that awaits its upload. */
export const overdueUpload = (from: string): Attributes => due('jobs', from, uploadPatienceMs);

/** Marks a job that awaits its plan. */
export const overduePlan = (from: string): Attributes => due('jobs', from, planPatienceMs);

/** Marks a task that awaits a worker or is worked on. */
export const overdueTask = (from: string): Attributes => due('tasks', from, taskPatienceMs);

/** Marks the note of a job that is about to end without content. */
export const overdueEnd = (from: string): Attributes => due('ends', from, planPatienceMs);

/** Marks the note of a job that is being deleted. */
export const overdueRemoval = (from: string): Attributes => due('removals', from, removalPatienceMs);

/** The address of a job by its key, or by that of a note of its end or its deletion. */
export const jobAddressAt = ({ pk, sk }: Key): JobAddress => {
  const [, organizationId = '', indexId = ''] = pk.split('#');
  return { organizationId, indexId, jobId: sk };
};

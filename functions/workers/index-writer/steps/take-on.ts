import { jobAddressIn } from '../../../../shared/files/index.ts';
import { dayMs } from '../../../../shared/kernel/durations.ts';
import {
  type DirectChange,
  type IndexRecord,
  isLive,
  type LogChange,
  type LogMessage,
  type MessageOf,
} from '../../../../shared/indexes/index.ts';
import { idsOf } from '../../../../shared/kernel/log.ts';
import { hasTakenPlace } from './apply-replacement.ts';
import { commitChanges } from './commit-changes.ts';
import { isLeftUnended } from './finish-task.ts';
import { acknowledge, done } from './receipts.ts';
import type { Writing } from '../uses.ts';

const patienceMs = dayMs;

/** A change in the form in which it is tried again, and since when. */
interface Resumed {
  readonly change: LogChange;
  readonly since: string;
}

/**
 * Ends a message of a task that is done, while its job waits for others or has ended; false where it is of none. It has no
 * attempt left where another change of its batch got every run killed, and takes nothing from the job.
 */
export const isOfDoneTask = async (writing: Writing, message: LogMessage): Promise<boolean> => {
  const { deps, run } = writing;
  const { change } = message;
  if (change.op !== 'write_task') return false;
  const address = { ...jobAddressIn(message, change.job_id), ordinal: change.ordinal };
  const job = await deps.files.noteTaskInvocation(address, run.invocationId);
  if (job?.done.has(String(change.ordinal)) !== true || isLeftUnended(job)) return false;
  await acknowledge(writing, message, done);
  return true;
};

/** The last task of a job: with it ends a job whose every row may be committed by now. */
const resumeTask = async (
  { deps }: Writing,
  message: LogMessage,
  change: MessageOf<'write_task'>['change'],
  since: string,
): Promise<Resumed | null> => {
  const job = await deps.files.get(jobAddressIn(message, change.job_id));
  return job !== null && isLeftUnended(job) ? { change: { ...change, since }, since } : null;
};

/** What somebody asked for may be committed, too; it is not applied again, since others may have written since. */
const settle = (change: DirectChange, since: string): Resumed => ({ change: { op: 'settle', change, since }, since });

const resume = async (writing: Writing, message: LogMessage): Promise<Resumed | null> => {
  const { change } = message;
  const now = writing.run.clock.now().toISOString();
  switch (change.op) {
    case 'write_task':
      return resumeTask(writing, message, change, change.since ?? now);
    case 'settle':
      return { change, since: change.since };
    case 'count_tokens':
      return { change: { ...change, since: change.since ?? now }, since: change.since ?? now };
    case 'upsert':
    case 'patch':
    case 'delete':
    case 'delete_where':
    case 'remove_job':
    case 'promote':
      return settle(change, now);
    default:
      return null;
  }
};

/**
 * Tells what became of a change where it stands in the log, before the table forgets it for those that come after. False
 * where that fails, too.
 */
const isSettled = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<boolean> => {
  try {
    await commitChanges(writing, index, [message]);
    return true;
  } catch (error) {
    writing.run.log.error('a change could not be settled', { ...idsOf(message), error });
    return false;
  }
};

/**
 * A change with what is known of the place that its job has taken, before the table forgets it for the changes that come
 * after. Throws where that cannot be known and the job would fail for it.
 */
const withPlace = async (
  writing: Writing,
  index: IndexRecord,
  message: LogMessage,
  { change, isLate }: { readonly change: LogChange; readonly isLate: boolean },
): Promise<LogChange> => {
  if (change.op !== 'write_task') return change;
  const { replaces } = change;
  if (replaces === null) return change;
  try {
    const replacement = { ...message, change: { ...change, replaces } };
    return (await hasTakenPlace(writing, index, replacement)) ? { ...change, taken: true } : change;
  } catch (error) {
    if (isLate) throw error;
    writing.run.log.error('the place of a job could not be looked up', { ...idsOf(message), error });
    return change;
  }
};

/**
 * Whether a message that failed again and again is settled, or goes to the end of its log once more, because the table may
 * hold its change, or a model may have been paid, although whoever asked, or the account of the index, has not been told.
 * For a day; a job that has taken the place of another is ended however long that takes, since the other's rows are gone.
 */
export const isTakenOn = async (writing: Writing, message: LogMessage): Promise<boolean> => {
  const { deps, run } = writing;
  const index = await deps.indexes.get(message.organization_id, message.index_id);
  if (!isLive(index)) return false;
  const resumed = await resume(writing, message);
  if (resumed === null) return false;
  const { since } = resumed;
  const isLate = run.clock.now().getTime() - Date.parse(since) >= patienceMs;
  const change = await withPlace(writing, index, message, { change: resumed.change, isLate });
  if (change.op === 'settle' && (await isSettled(writing, index, { ...message, change }))) return true;
  if (isLate && !(change.op === 'write_task' && change.taken === true)) return false;
  await deps.log.append(index, change, message.receipt_id, { again: run.invocationId });
  return true;
};

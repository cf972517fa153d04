import { batchKey, jobAddressIn, type JobRecord } from '../../../../shared/files/index.ts';
import { type IndexRecord, type LogMessage, type MessageOf, toIndexRef } from '../../../../shared/indexes/index.ts';
import { weightOf } from '../../../../shared/platform/engine/commit-weight.ts';
import type { Change, Row } from '../../../../shared/platform/engine/port.ts';
import { dropSuperseded, endJob } from './count-job.ts';
import { failTask } from './fail-task.ts';
import { finishTask, noteWrite, takeUp } from './finish-task.ts';
import { loadRows, onlyTold } from './load-change.ts';
import { acknowledge, didSomething, nothing } from './receipts.ts';
import { failWithoutRoom, roomIn } from './room.ts';
import { saveCommit } from './save-commit.ts';
import type { Writing } from '../uses.ts';
import { mostBytesAtOnce } from './limits.ts';

/** A message with a task of a job that takes the place of another. */
type ReplacementMessage = MessageOf<'write_task'> & { readonly change: { readonly replaces: string } };

/** All rows of a job, task by task; null where they are more than one commit can write. */
const rowsOf = async (writing: Writing, index: IndexRecord, job: JobRecord): Promise<readonly Row[] | null> => {
  const rows: Row[] = [];
  let weight = 0;
  for (let ordinal = 1; ordinal <= job.tasksTotal; ordinal += 1) {
    const some = await loadRows(writing, index, { key: batchKey(job, ordinal) });
    weight += weightOf(some);
    if (weight > mostBytesAtOnce(writing)) return null;
    rows.push(...some);
  }
  return rows;
};

/** The job that `own` takes the place of: another replacement of the same job may have completed before it. */
const standingAt = async (writing: Writing, message: LogMessage, jobId: string, own: string): Promise<string> => {
  const by = (await writing.deps.files.successor(jobAddressIn(message, jobId))) ?? own;
  return by === own ? jobId : standingAt(writing, message, by, own);
};

/** The key of the commit that takes the place: whichever message of the job comes first after a crash finds it made. */
const commitKey = (jobId: string, standing: string): string => `replace-${jobId}-${standing}`;

/** Whether the rows of the job of a message stand in the place of another's, so that it cannot fail any more. */
export const hasTakenPlace = async (
  writing: Writing,
  index: IndexRecord,
  message: ReplacementMessage,
): Promise<boolean> => {
  const { change } = message;
  if (change.taken === true) return true;
  const { files, engines } = writing.deps;
  const standing = await standingAt(writing, message, change.replaces, change.job_id);
  if ((await files.successor(jobAddressIn(message, standing))) === change.job_id) return true;
  const engine = engines(index.organizationId);
  const { results } = await engine.commit(toIndexRef(index), [onlyTold], [commitKey(change.job_id, standing)]);
  return didSomething(results[0] ?? nothing);
};

interface Replacement {
  readonly job: JobRecord;
  /** The job in whose place it comes. */
  readonly standing: string;
  /** Whether it is known to stand there. Its rows are not written anew then: others may have changed them since. */
  readonly isTaken: boolean;
}

const tooLarge =
  'The file and what it takes the place of are more than one replacement can write. Upload it as a file of its own, then delete the other.';

/** Marks the job whose place another has taken, and deletes its original. May be repeated. */
const supersede = async (
  writing: Writing,
  message: ReplacementMessage,
  standing: string,
  byJobId: string,
): Promise<void> => {
  const address = jobAddressIn(message, standing);
  await writing.deps.files.supersede(address, byJobId);
  await dropSuperseded(writing, address);
};

/** Puts all rows of a job in the place of those of another, or fails it where one commit or the plan has no room for that. */
const takePlace = async (
  writing: Writing,
  index: IndexRecord,
  message: ReplacementMessage,
  { job, standing, isTaken }: Replacement,
): Promise<void> => {
  const { deps, run } = writing;
  const rows = isTaken ? null : await rowsOf(writing, index, job);
  // An earlier run may have had the memory for it.
  if (rows === null && !(await hasTakenPlace(writing, index, message))) {
    await failTask(writing, message, tooLarge);
    return;
  }
  const kind: Change =
    rows === null ? onlyTold : { kind: 'replaceJob', oldJobId: standing, rows, mostBytes: mostBytesAtOnce(writing) };
  const engine = deps.engines(index.organizationId);
  const once = { ...message, receipt_id: commitKey(job.id, standing) };
  const { room, mostRows } = await roomIn(writing, index);
  const startedMs = run.clock.now().getTime();
  const { state, results } = await engine.commit(toIndexRef(index), [kind], [once.receipt_id], mostRows);
  const durationMs = run.clock.now().getTime() - startedMs;
  const result = results[0] ?? nothing;
  if (result.noRoom !== undefined) {
    await failWithoutRoom(writing, message, room);
    return;
  }
  if (result.tooMany !== undefined) {
    await failTask(writing, message, tooLarge);
    return;
  }
  await saveCommit(writing, index, state, [{ message: once, result }]);
  // First, so that never both of them say that they stand.
  await supersede(writing, message, standing, job.id);
  await noteWrite(writing, message, durationMs);
  await endJob(writing, job);
};

/**
 * Takes a task of a job that replaces another. Its rows wait until all tasks are there; then, in one version, they take
 * the place of all rows of the job that stands there by then.
 */
export const applyReplacement = async (
  writing: Writing,
  index: IndexRecord,
  message: ReplacementMessage,
): Promise<void> => {
  const { change } = message;
  const { deps } = writing;
  let written = 0;
  const seen = await deps.files.get(jobAddressIn(message, change.job_id));
  if (seen?.counted === true) {
    // It has taken its place; whatever has become of its rows since, this message does not bring them back.
    if (seen.errorCode === null && seen.status !== 'cancelled') {
      const standing = await standingAt(writing, message, change.replaces, seen.id);
      await supersede(writing, message, standing, seen.id);
    }
  } else if ((await takeUp(writing, message)) !== null) {
    const isTaken = change.taken === true;
    written = isTaken ? 0 : (await loadRows(writing, index, change.rows)).length;
    const job = await finishTask(writing, message, written, 0);
    // From here on the rows of the other job may be gone, so that this one has to end with its own.
    if (job !== null && (await deps.files.lockReplacement(jobAddressIn(message, job.id))))
      await takePlace(writing, index, message, {
        job,
        standing: await standingAt(writing, message, change.replaces, job.id),
        isTaken,
      });
  }
  await acknowledge(writing, message, { written, deleted: 0, error: null });
};

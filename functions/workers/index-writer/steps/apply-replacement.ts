import {
  batchKey,
  cancelJob,
  endedWithoutContent,
  isCompleted,
  isOpen,
  jobAddressIn,
  type JobRecord,
  supersedeJob,
} from '../../../../shared/files/index.ts';
import { type IndexRecord, type LogMessage, type MessageOf, toIndexRef } from '../../../../shared/indexes/index.ts';
import { weightOf } from '../../../../shared/platform/engine/commit-weight.ts';
import type { Change, Row } from '../../../../shared/platform/engine/port.ts';
import { dropSuperseded, endJob } from '../../../../shared/ledger/index.ts';
import { failTask } from './fail-task.ts';
import { finishTask, recordWriteDuration, beginTaskWrite } from './finish-task.ts';
import { loadRows, lookupOnly } from './load-change.ts';
import { acknowledge, didSomething, nothing } from './receipts.ts';
import { admit, failOverQuota } from './remaining-quota.ts';
import { saveCommit } from './save-commit.ts';
import type { Writing } from '../uses.ts';
import { maxCommitBytes } from './limits.ts';

/** Message with a task of a job that replaces another. */
type ReplacementMessage = MessageOf<'write_task'> & { readonly change: { readonly replaces: string } };

/** Returns all rows of a job, task by task; null if they are more than one commit can write. */
const rowsOf = async (writing: Writing, index: IndexRecord, job: JobRecord): Promise<readonly Row[] | null> => {
  const rows: Row[] = [];
  let weight = 0;
  for (let ordinal = 1; ordinal <= job.tasksTotal; ordinal += 1) {
    const some = await loadRows(writing, index, { key: batchKey(job, ordinal) });
    weight += weightOf(some);
    if (weight > maxCommitBytes(writing)) return null;
    rows.push(...some);
  }
  return rows;
};

/** Whether a replacement has no rows in the index: they wait until all of them replace the other's. */
const isWithoutRows = (job: JobRecord): boolean =>
  !isCompleted(job) && !(job.status === 'superseded' && job.errorCode === null);

/**
 * Returns the jobs that `own` replaces, the one with rows last. A replacement without rows leads to the job that it was to
 * replace, and a replaced job to its successor: another replacement of the same job may have completed before.
 */
const replacedJobs = async (writing: Writing, message: LogMessage, jobId: string, own: string): Promise<string[]> => {
  const { files } = writing.deps;
  const followed: string[] = [];
  let current = jobId;
  for (;;) {
    const address = jobAddressIn(message, current);
    const job = await files.get(address);
    const predecessor = job === null ? await files.predecessor(address) : isWithoutRows(job) ? job.replacesJobId : null;
    if (predecessor === null) break;
    followed.push(current);
    current = predecessor;
  }
  for (;;) {
    const by = await files.successor(jobAddressIn(message, current));
    if (by === null || by === own) return [...followed, current];
    current = by;
  }
};

/** Returns the job whose rows `own` replaces. */
const currentJobOf = async (writing: Writing, message: LogMessage, jobId: string, own: string): Promise<string> =>
  (await replacedJobs(writing, message, jobId, own)).at(-1) ?? jobId;

/**
 * Cancels the jobs that a complete file replaces and that are unfinished, so that the newest of several files remains. A job
 * that is just replacing another stays.
 */
const cancelUnfinished = async (writing: Writing, message: ReplacementMessage): Promise<void> => {
  const { deps, run } = writing;
  for (const jobId of await replacedJobs(writing, message, message.change.replaces, message.change.job_id)) {
    const job = await deps.files.get(jobAddressIn(message, jobId));
    if (job !== null && isOpen(job)) await cancelJob(deps, job, run.clock);
  }
};

/** Returns the key of the replacing commit, by which any message of the job finds the commit after a crash. */
const commitKey = (jobId: string, standing: string): string => `replace-${jobId}-${standing}`;

/** Looks up in the table whether the rows of a job have replaced those of another, so that the job cannot fail any more. */
export const lookUpReplaced = async (
  writing: Writing,
  index: IndexRecord,
  message: ReplacementMessage,
): Promise<boolean> => {
  const { change } = message;
  const { files, engines } = writing.deps;
  const standing = await currentJobOf(writing, message, change.replaces, change.job_id);
  if ((await files.successor(jobAddressIn(message, standing))) === change.job_id) return true;
  const engine = engines(index.organizationId, index.engine);
  const { results } = await engine.commit(toIndexRef(index), [lookupOnly], [commitKey(change.job_id, standing)]);
  return didSomething(results[0] ?? nothing);
};

interface Replacement {
  readonly job: JobRecord;
  /** Id of the replaced job. */
  readonly replacedJobId: string;
  /** Whether the rows are known to be replaced. They are not written again then, because callers may have changed them since. */
  readonly isReplaced: boolean;
}

const tooLarge =
  'The file and the file that it replaces are together too large for one replacement. Upload it as a new file, then delete the other.';

/**
 * Marks the replaced jobs as superseded, the one with rows first, and deletes their originals. A cancelled job among them
 * stays cancelled. Idempotent.
 */
const supersede = async (writing: Writing, message: ReplacementMessage): Promise<void> => {
  const { job_id: own, replaces } = message.change;
  for (const jobId of (await replacedJobs(writing, message, replaces, own)).toReversed()) {
    const address = jobAddressIn(message, jobId);
    await supersedeJob(writing.deps.files, address, own, writing.run.clock.now().toISOString());
    await dropSuperseded(writing.deps, address, writing.run.clock);
  }
};

/** Deletes the old rows of a replaced file and writes the new rows, in one commit. Fails the job if a commit or the quota is too small. */
const replaceRows = async (
  writing: Writing,
  index: IndexRecord,
  message: ReplacementMessage,
  { job, replacedJobId: standing, isReplaced }: Replacement,
): Promise<void> => {
  const { deps, run } = writing;
  const rows = isReplaced ? null : await rowsOf(writing, index, job);
  // An earlier run with more memory may have written the rows.
  if (rows === null && !(await lookUpReplaced(writing, index, message))) {
    await failTask(writing, message, tooLarge);
    return;
  }
  const changeOf = (some: readonly Row[] | null): Change =>
    some === null
      ? lookupOnly
      : { kind: 'replaceJob', oldJobId: standing, rows: some, maxBytes: maxCommitBytes(writing) };
  const engine = deps.engines(index.organizationId, index.engine);
  const once = { ...message, receipt_id: commitKey(job.id, standing) };
  const { quota, maxRows, room } = await admit(writing, index, rows?.length ?? 0);
  const startedMs = run.clock.now().getTime();
  const commit = (change: Change) => engine.commit(toIndexRef(index), [change], [once.receipt_id], maxRows);
  const first = await commit(changeOf(rows));
  const isUnfinished = first.results[0]?.unfinished === true;
  const { state, results } = isUnfinished ? await commit(changeOf(await rowsOf(writing, index, job))) : first;
  const durationMs = run.clock.now().getTime() - startedMs;
  const result = results[0] ?? nothing;
  if (result.noRoom !== undefined && quota !== null) {
    await failOverQuota(writing, message, quota);
    return;
  }
  const refusal = result.tooMany === undefined ? result.unsupported : tooLarge;
  if (refusal !== undefined) {
    await failTask(writing, message, refusal);
    return;
  }
  const replaced = await deps.files.get(jobAddressIn(message, standing));
  // Rows of a job that ended without content were never counted.
  const counted = replaced !== null && endedWithoutContent(replaced) ? { ...result, deleted: 0 } : result;
  await saveCommit(writing, index, state, [{ message: once, result: counted }], room);
  // First, so that the two jobs are never both current.
  await supersede(writing, message);
  await recordWriteDuration(writing, message, durationMs);
  await endJob(deps, job, run.clock);
};

/**
 * Applies a task of a job that replaces another. Its rows wait until all tasks are done. Then one commit replaces all rows
 * of the job that is current by then.
 * @param isTaken Whether the rows are known to have replaced the others, so that only the end of the job is missing.
 */
export const applyReplacement = async (
  writing: Writing,
  index: IndexRecord,
  message: ReplacementMessage,
  isTaken = false,
): Promise<void> => {
  const { change } = message;
  const { deps } = writing;
  let written = 0;
  const seen = await deps.files.get(jobAddressIn(message, change.job_id));
  if (seen?.counted === true) {
    // The replacement is complete. This message must not restore rows that were deleted since.
    if (seen.errorCode === null && seen.status !== 'cancelled') await supersede(writing, message);
  } else if ((await beginTaskWrite(writing, message)) !== null) {
    written = isTaken ? 0 : (await loadRows(writing, index, change.rows)).length;
    const job = await finishTask(writing, message, written, 0);
    // From here on, the rows of the other job may be deleted, so this job must complete.
    if (job !== null && (await deps.files.lockReplacement(jobAddressIn(message, job.id)))) {
      await cancelUnfinished(writing, message);
      await replaceRows(writing, index, message, {
        job,
        replacedJobId: await currentJobOf(writing, message, change.replaces, job.id),
        isReplaced: isTaken,
      });
    }
  }
  await acknowledge(writing, message, { written, deleted: 0, error: null });
};

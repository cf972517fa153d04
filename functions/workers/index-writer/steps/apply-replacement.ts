import { type IndexRecord, toIndexRef } from '../../../../shared/indexes/index.ts';
import {
  admit,
  beginTaskWrite,
  completeReplacement,
  currentJobOf,
  endDoneJob,
  failTask,
  finishTask,
  hasCountedRows,
  isReplaced,
  isSucceededBy,
  lockReplacement,
  type ReplacementMessage,
  rowKeysOf,
  saveCommit,
  vectorLimitReached,
} from '../../../../shared/ledger/index.ts';
import { weightOf, type Change, type Row } from '#engine';
import { loadRows, lookupOnly, maxCommitBytes } from './load-change.ts';
import { requestMaintenance } from './request-maintenance.ts';
import { acknowledge, didSomething, nothing } from './receipts.ts';
import { ledgerOf, type Writing } from '../uses.ts';

type ReplacedJob = Parameters<typeof rowKeysOf>[0];

/** Returns all rows of a job, task by task; null if they are more than one commit can write. */
const rowsOf = async (writing: Writing, index: IndexRecord, job: ReplacedJob): Promise<readonly Row[] | null> => {
  const rows: Row[] = [];
  let weight = 0;
  for (const key of rowKeysOf(job)) {
    const some = await loadRows(writing, index, { key });
    weight += weightOf(some);
    if (weight > maxCommitBytes(writing)) return null;
    rows.push(...some);
  }
  return rows;
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
  const ledger = ledgerOf(writing);
  const standing = await currentJobOf(ledger, message, change.replaces, change.job_id);
  if (await isSucceededBy(ledger, message, standing, change.job_id)) return true;
  const engine = writing.deps.engines(index.organizationId, index.engine);
  const { results } = await engine.commit(toIndexRef(index), [lookupOnly], [commitKey(change.job_id, standing)]);
  return didSomething(results[0] ?? nothing);
};

interface Replacement {
  readonly job: ReplacedJob;
  /** Id of the replaced job. */
  readonly replacedJobId: string;
  /** Whether the rows are known to be replaced. They are not written again then, because callers may have changed them since. */
  readonly isKnown: boolean;
}

const tooLarge =
  'The file and the file that it replaces are together too large for one replacement. Upload it as a new file, then delete the other.';

/** Deletes the old rows of a replaced file and writes the new rows, in one commit. Fails the job if a commit or the quota is too small. */
const replaceRows = async (
  writing: Writing,
  index: IndexRecord,
  message: ReplacementMessage,
  { job, replacedJobId: standing, isKnown }: Replacement,
): Promise<void> => {
  const { deps, run } = writing;
  const ledger = ledgerOf(writing);
  const rows = isKnown ? null : await rowsOf(writing, index, job);
  // An earlier run with more memory may have written the rows.
  if (rows === null && !(await lookUpReplaced(writing, index, message))) {
    await failTask(ledger, message, tooLarge);
    return;
  }
  const changeOf = (some: readonly Row[] | null): Change =>
    some === null
      ? lookupOnly
      : { kind: 'replaceJob', oldJobId: standing, rows: some, maxBytes: maxCommitBytes(writing) };
  const engine = deps.engines(index.organizationId, index.engine);
  const once = { ...message, receipt_id: commitKey(job.id, standing) };
  const { quota, maxRows, room } = await admit(ledger, index, rows?.length ?? 0);
  const startedMs = run.clock.now().getTime();
  const commit = (change: Change) => engine.commit(toIndexRef(index), [change], [once.receipt_id], maxRows);
  const first = await commit(changeOf(rows));
  const isUnfinished = first.results[0]?.unfinished === true;
  const { state, results } = isUnfinished ? await commit(changeOf(await rowsOf(writing, index, job))) : first;
  const durationMs = run.clock.now().getTime() - startedMs;
  const result = results[0] ?? nothing;
  const noRoom = result.noRoom === undefined || quota === null ? undefined : vectorLimitReached(quota).message;
  const refusal = noRoom ?? (result.tooMany === undefined ? result.unsupported : tooLarge);
  if (refusal !== undefined) {
    await failTask(ledger, message, refusal);
    return;
  }
  const counted = (await hasCountedRows(ledger, message, standing)) ? result : { ...result, deleted: 0 };
  await saveCommit(ledger, index, state, [{ message: once, result: counted }], room);
  await requestMaintenance(writing, index, state);
  await completeReplacement(ledger, message, job, durationMs);
};

/** Completes a task, and replaces the rows with the last one. Returns the number of rows of the task. */
const applyTask = async (
  writing: Writing,
  index: IndexRecord,
  message: ReplacementMessage,
  isTaken: boolean,
): Promise<number> => {
  const { change } = message;
  const ledger = ledgerOf(writing);
  if ((await beginTaskWrite(ledger, message)) === null) {
    // Another replacement may have superseded the job before its usage was counted.
    await endDoneJob(ledger, message);
    return 0;
  }
  const written = isTaken ? 0 : (await loadRows(writing, index, change.rows)).length;
  const job = await finishTask(ledger, message, written, 0);
  // From here on, the rows of the other job may be deleted, so this job must complete.
  if (job !== null && (await lockReplacement(ledger, message))) {
    const replacedJobId = await currentJobOf(ledger, message, change.replaces, job.id);
    await replaceRows(writing, index, message, { job, replacedJobId, isKnown: isTaken });
  }
  return written;
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
  const isDone = await isReplaced(ledgerOf(writing), message);
  const written = isDone ? 0 : await applyTask(writing, index, message, isTaken);
  await acknowledge(writing, message, { written, deleted: 0, error: null });
};

import { jobAddressIn } from '../../../../shared/files/index.ts';
import { type IndexRecord, isBuilding, type LogMessage, toIndexRef } from '../../../../shared/indexes/index.ts';
import type { Change, TableState } from '../../../../shared/platform/engine/port.ts';
import type { VectorRoom } from '../../../../shared/usage/index.ts';
import { countEndedJob, endJob } from './count-job.ts';
import { finishTask, isLeftUnended } from './finish-task.ts';
import { toChange } from './load-change.ts';
import { anyRoom, failWithoutRoom, mayAdd, roomIn } from './room.ts';
import { acknowledge, didSomething, done, notApplied, nothing, refuse, toReceipt } from './receipts.ts';
import { type MessageOutcome, saveCommit } from './save-commit.ts';
import type { Writing } from '../uses.ts';

/** Commits after which the table is brought up to date in the background. */
const maintainAtFragments = 20;

/**
 * Fresh rows that searches are left with: a text query reads each of them anew, about 0.1 ms for a chunk of a file. A tenth
 * of a small table, so that one that grows row by row is not maintained with each; a hundredth of a large one, because
 * each run leaves a segment that slows searches. ADR 29 has the measurements.
 */
const freshTextsOf = (rows: number): number => Math.max(50, Math.min(500, rows * 0.1), rows * 0.01);

/** Numbers of fresh vectors that a dense search compares in about 3 ms, and rows that a filter is held against in as long. */
const freshFloats = 1_500_000;
const mostFreshRows = 5_000;

/** Whether searches suffer more from what maintenance has not seen yet than writes would from maintenance. */
const wantsMaintenance = ({ rows, sparseBytes, fragments, unindexedRows }: TableState, dimensions: number): boolean => {
  const texts = freshTextsOf(rows);
  // Where no row has a text, dense searches and filters alone suffer.
  const mostFresh = sparseBytes > 0 ? texts : Math.max(texts, Math.min(mostFreshRows, freshFloats / dimensions));
  return fragments >= maintainAtFragments || unindexedRows >= mostFresh;
};

/** Ends a message whose change has been committed and counted, or refused for want of room, with what waits on it. */
export const finish = async (
  writing: Writing,
  { message, result }: MessageOutcome,
  durationMs: number,
  room: VectorRoom | null,
): Promise<void> => {
  if (result.noRoom !== undefined && room !== null && (await failWithoutRoom(writing, message, room))) return;
  const job = await finishTask(writing, message, result.written, durationMs);
  if (job !== null) await endJob(writing, job);
  if (message.change.op === 'remove_job') await countEndedJob(writing, jobAddressIn(message, message.change.job_id));
  await acknowledge(writing, message, toReceipt(result, room));
};

/** Ends a change that failed again and again: with what it did, where the table tells that it was committed all the same. */
const finishSettled = async (writing: Writing, outcome: MessageOutcome, room: VectorRoom | null): Promise<void> => {
  const { message, result } = outcome;
  if (didSomething(result) || toReceipt(result).error !== null) await finish(writing, outcome, 0, room);
  else await refuse(writing, message, notApplied);
};

/** Ends a message that has nothing to write any more, with what the run that wrote it may have left undone. */
const finishEmpty = async (writing: Writing, message: LogMessage): Promise<void> => {
  const { change } = message;
  const job = change.op === 'write_task' ? await writing.deps.files.get(jobAddressIn(message, change.job_id)) : null;
  if (job !== null && isLeftUnended(job)) await endJob(writing, job);
  await acknowledge(writing, message, done);
};

interface Keyed {
  readonly message: LogMessage;
  readonly change: Change;
}

/** A message as the change that it settles, if it does. */
const settledBy = (message: LogMessage): LogMessage =>
  message.change.op === 'settle' ? { ...message, change: message.change.change } : message;

/** One commit for all changes, then the committed version with the index, then what waits on each of them. */
const applyChanges = async (writing: Writing, index: IndexRecord, changes: readonly Keyed[]): Promise<void> => {
  const { deps, run } = writing;
  const played = changes.map(({ change }) => change);
  const { room, mostRows } = mayAdd(played) ? await roomIn(writing, index) : anyRoom;
  const startedMs = run.clock.now().getTime();
  const { state, results } = await deps.engines(index.organizationId).commit(
    toIndexRef(index),
    played,
    changes.map(({ message }) => message.receipt_id),
    mostRows,
  );
  const durationMs = run.clock.now().getTime() - startedMs;
  const outcomes = changes.map(({ message }, at) => ({ message: settledBy(message), result: results[at] ?? nothing }));
  await saveCommit(writing, index, state, outcomes);
  for (const [at, outcome] of outcomes.entries()) {
    if (changes[at]?.message.change.op === 'settle') await finishSettled(writing, outcome, room);
    else await finish(writing, outcome, durationMs, room);
  }
  if (wantsMaintenance(state, index.dimensions) && !isBuilding(index, run.clock.now())) {
    await deps.log.append(index, { op: 'maintain' }, `maintain-${index.id}-${state.version}`);
  }
};

/** Applies messages that can share a commit. */
export const commitChanges = async (
  writing: Writing,
  index: IndexRecord,
  messages: readonly LogMessage[],
): Promise<void> => {
  const changes: Keyed[] = [];
  const empty: LogMessage[] = [];
  for (const message of messages) {
    const change = await toChange(writing, index, message);
    if (change === null) empty.push(message);
    else changes.push({ message, change });
  }
  if (changes.length > 0) await applyChanges(writing, index, changes);
  // Afterwards: what they count goes into the account that the commit has saved.
  for (const message of empty) await finishEmpty(writing, message);
};

import { jobAddressIn } from '../../../../shared/files/index.ts';
import { type IndexRecord, isBuilding, type LogMessage, toIndexRef } from '../../../../shared/indexes/index.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { DamagedIndex, damagedMessage } from '../../../../shared/platform/engine/damaged-index.ts';
import type { Change } from '../../../../shared/platform/engine/port.ts';
import type { VectorQuota } from '../../../../shared/usage/index.ts';
import { countJob, endJob, uncountOriginal } from '../../../../shared/ledger/index.ts';
import { failTask } from './fail-task.ts';
import { finishTask, isDoneButOpen } from './finish-task.ts';
import { toChange } from './load-change.ts';
import { maintenanceDue } from './maintenance-due.ts';
import { addedBy, admit, failOverQuota } from './remaining-quota.ts';
import { acknowledge, done, nothing, refuse, toReceipt } from './receipts.ts';
import { refuseChange } from './refuse-change.ts';
import { type MessageOutcome, saveCommit } from './save-commit.ts';
import type { Writing } from '../uses.ts';

/** Ends a message whose change was committed and counted, or exceeded the quota: completes its job and writes its receipt. */
export const finish = async (
  writing: Writing,
  { message, result }: MessageOutcome,
  durationMs: number,
  quota: VectorQuota | null,
): Promise<void> => {
  if (result.noRoom !== undefined && quota !== null && (await failOverQuota(writing, message, quota))) return;
  if (result.unsupported !== undefined) await failTask(writing, message, result.unsupported);
  const job = result.unsupported === undefined ? await finishTask(writing, message, result.written, durationMs) : null;
  if (job !== null) await endJob(writing.deps, job, writing.run.clock);
  if (message.change.op === 'remove_job') {
    const address = jobAddressIn(message, message.change.job_id);
    await countJob(writing.deps, address, writing.run.clock);
    // The job is being deleted together with its original.
    if (message.change.counted) await uncountOriginal(writing.deps, address, writing.run.clock);
  }
  await acknowledge(writing, message, toReceipt(result, quota));
};

/** Ends a message that has nothing left to write, and completes the steps that the writing run may have missed. */
const finishEmpty = async (writing: Writing, message: LogMessage): Promise<void> => {
  const { change } = message;
  const job = change.op === 'write_task' ? await writing.deps.files.get(jobAddressIn(message, change.job_id)) : null;
  if (job !== null && isDoneButOpen(job)) await endJob(writing.deps, job, writing.run.clock);
  await acknowledge(writing, message, done);
};

interface Keyed {
  readonly message: LogMessage;
  readonly change: Change;
}

/** Changes whose caller waits, and which are not applied later. */
const refusedIfDamaged: ReadonlySet<string> = new Set(['upsert', 'patch', 'delete', 'delete_where', 'patch_where']);

/** Refuses the changes of a damaged index whose callers wait, and fails its files. Throws the error if others are left. */
const refuseDamaged = async (writing: Writing, messages: readonly LogMessage[], error: DamagedIndex): Promise<void> => {
  for (const message of messages)
    if (refusedIfDamaged.has(message.change.op) || (await failTask(writing, message, damagedMessage)))
      await refuse(writing, message, damagedMessage);
  const isLeft = ({ change: { op } }: LogMessage): boolean => !refusedIfDamaged.has(op) && op !== 'write_task';
  if (messages.some(isLeft)) throw error;
};

/** Commits all changes at once, saves the version with the index, and then ends each message. */
const applyChanges = async (writing: Writing, index: IndexRecord, changes: readonly Keyed[]): Promise<void> => {
  const { deps, run } = writing;
  const played = changes.map(({ change }) => change);
  const { quota, maxRows, room } = await admit(writing, index, addedBy(played));
  const startedMs = run.clock.now().getTime();
  const { state, results } = await deps.engines(index.organizationId, index.engine).commit(
    toIndexRef(index),
    played,
    changes.map(({ message }) => message.receipt_id),
    maxRows,
  );
  const durationMs = run.clock.now().getTime() - startedMs;
  const outcomes = changes.map(({ message }, at) => ({
    message,
    result: results[at] ?? nothing,
  }));
  const due = maintenanceDue(state, index.dimensions);
  // Before the record is saved, so that the repeat of a run that dies here enqueues the check. Later commits do not.
  if (due === 'when quiet' && maintenanceDue(index.state, index.dimensions) === 'not yet')
    await deps.builds.checkLater(index, index.maintainedVersion);
  await saveCommit(writing, index, state, outcomes, room, async () => {
    for (const outcome of outcomes) await finish(writing, outcome, durationMs, quota);
  });
  if (due === 'now' && !isBuilding(index, run.clock.now())) {
    await deps.log.append(index, { op: 'maintain' }, `maintain-${index.id}-${state.version}`);
  }
};

/** Applies messages that can share a commit. */
export const commitChanges = async (
  writing: Writing,
  index: IndexRecord,
  messages: readonly LogMessage[],
): Promise<void> => {
  // The parts of the messages are fetched concurrently.
  const found = await inParallel(messages, messages.length, async (message) => ({
    message,
    change: await toChange(writing, index, message),
  }));
  const changes: Keyed[] = [];
  for (const { message, change } of found) {
    if (change?.kind === 'refused') await refuseChange(writing, message, change.reason);
    else if (change !== null) changes.push({ message, change });
  }
  const empty = found.flatMap(({ message, change }) => (change === null ? [message] : []));
  try {
    if (changes.length > 0) await applyChanges(writing, index, changes);
  } catch (error) {
    if (!(error instanceof DamagedIndex)) throw error;
    writing.run.log.error('index.damaged', { index_id: index.id, error });
    const damaged = changes.map(({ message }) => message);
    await refuseDamaged(writing, damaged, error);
  }
  // Afterwards, because their usage is added to the counters that the commit has saved.
  for (const message of empty) await finishEmpty(writing, message);
};

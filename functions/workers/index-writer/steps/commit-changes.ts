import {
  type IndexRecord,
  type LogMessage,
  type MessageOf,
  otherChunksMessage,
  otherModelsMessage,
  toIndexRef,
} from '../../../../shared/indexes/index.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import {
  admit,
  committed,
  endDoneJob,
  failTask,
  type MessageOutcome,
  type VectorQuota,
} from '../../../../shared/ledger/index.ts';
import { DamagedIndex, damagedMessage, type Change } from '#engine';
import { embedAgain, lookupOnly, maxCommitBytes, toChange } from './load-change.ts';
import { requestMaintenance } from './request-maintenance.ts';
import { acknowledge, didSomething, done, nothing, refuse, toReceipt } from './receipts.ts';
import { ledgerOf, type Writing } from '../uses.ts';

/** Returns the function that writes the receipt of a committed message. */
export const receiptOf =
  (writing: Writing, quota: VectorQuota | null) =>
  ({ message, result }: MessageOutcome, refusal: string | null): Promise<void> =>
    refusal === null ? acknowledge(writing, message, toReceipt(result, quota)) : refuse(writing, message, refusal);

/** Returns the maximum rows that changes add; Infinity for a promotion, whose rows are not known before. */
const addedBy = (changes: readonly Change[]): number =>
  changes.reduce(
    (sum, change) => sum + (change.kind === 'promote' ? Infinity : 'rows' in change ? change.rows.length : 0),
    0,
  );

/** Ends a message that has nothing left to write, and completes the steps that the writing run may have missed. */
const finishEmpty = async (writing: Writing, message: LogMessage): Promise<void> => {
  await endDoneJob(ledgerOf(writing), message);
  await acknowledge(writing, message, done);
};

interface Keyed {
  readonly message: LogMessage;
  readonly change: Change;
}

/** Changes whose caller waits, and which are not applied later. */
const refusedIfDamaged: ReadonlySet<string> = new Set(['upsert', 'patch', 'delete']);

/** Refuses the changes of a damaged index whose callers wait, and fails its files. Throws the error if others are left. */
const refuseDamaged = async (writing: Writing, messages: readonly LogMessage[], error: DamagedIndex): Promise<void> => {
  for (const message of messages)
    if (refusedIfDamaged.has(message.change.op) || (await failTask(ledgerOf(writing), message, damagedMessage)))
      await refuse(writing, message, damagedMessage);
  const isLeft = ({ change: { op } }: LogMessage): boolean => !refusedIfDamaged.has(op) && op !== 'write_task';
  if (messages.some(isLeft)) throw error;
};

/** Commits all changes at once, saves the version with the index, and then ends each message. */
const applyChanges = async (writing: Writing, index: IndexRecord, changes: readonly Keyed[]): Promise<void> => {
  const { deps, run } = writing;
  const ledger = ledgerOf(writing);
  const played = changes.map(({ change }) => change);
  const { quota, maxRows, room } = await admit(ledger, index, addedBy(played));
  const startedMs = run.clock.now().getTime();
  const { state, results } = await deps.engines(index.organizationId, index.engine).commit(
    toIndexRef(index),
    played,
    changes.map(({ message }) => message.receipt_id),
    maxRows,
  );
  const durationMs = run.clock.now().getTime() - startedMs;
  const outcomes = changes.map(({ message }, at) => ({ message, result: results[at] ?? nothing }));
  await committed(ledger, index, { state, outcomes, durationMs, quota, room }, receiptOf(writing, quota));
  await requestMaintenance(writing, index, state);
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
  const changes = found.flatMap(({ message, change }): Keyed[] => (change === null ? [] : [{ message, change }]));
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

/** Why a branch is not promoted that had to prove itself. */
const changedSinceProof = 'The branch has changed since it was evaluated. Send the request again';

/**
 * Promotes a branch into its parent, in one commit, so that a reader sees all of it or nothing. The table remembers the
 * message, so a repeat returns the result of the first run, even if the branch has changed since.
 */
export const applyPromotion = async (
  writing: Writing,
  parent: IndexRecord,
  message: MessageOf<'promote'>,
): Promise<void> => {
  const { change } = message;
  const { deps } = writing;
  const ledger = ledgerOf(writing);
  const branch = await deps.indexes.get(parent.organizationId, change.branch_id);
  const isOther = branch !== null && branch.embeddingModel !== parent.embeddingModel;
  const otherModels = isOther && change.embed !== true ? otherModelsMessage(branch, parent) : null;
  const problem = otherModels ?? (branch === null ? null : otherChunksMessage(branch, parent));
  if (problem !== null) {
    // A rebuild has changed one of them since the request.
    await refuse(writing, message, problem);
    return;
  }
  const isProved = change.branch_version === undefined || branch?.state.commitVersion === change.branch_version;
  const promotion: Change =
    branch?.status === 'ready' && isProved
      ? {
          kind: 'promote',
          branch: toIndexRef(branch),
          parentChanges: change.parent_changes,
          maxBytes: maxCommitBytes(writing),
          ...(isOther ? { embed: (rows) => embedAgain(writing, parent, rows) } : {}),
        }
      : // If an earlier run has promoted it, the table returns the result.
        lookupOnly;
  const engine = deps.engines(parent.organizationId);
  const { quota, maxRows, room } = await admit(ledger, parent, addedBy([promotion]));
  const { state, results } = await engine.commit(toIndexRef(parent), [promotion], [message.receipt_id], maxRows);
  const result = results[0] ?? nothing;
  if (promotion === lookupOnly && !didSomething(result)) {
    await refuse(writing, message, isProved ? 'The branch has been deleted' : changedSinceProof);
    return;
  }
  const commit = { state, outcomes: [{ message, result }], durationMs: 0, quota, room };
  await committed(ledger, parent, commit, receiptOf(writing, quota));
  await requestMaintenance(writing, parent, state);
};

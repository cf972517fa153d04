import {
  type IndexRecord,
  isLive,
  LogMessage,
  type MessageOf,
  toIndexRef,
  UnreadableMessage,
} from '../../../../shared/indexes/index.ts';
import { idsOf } from '../../../../shared/kernel/log.ts';
import { committed, endDoneJob, failTask, stateOfTask } from '../../../../shared/ledger/index.ts';
import { applyReplacement, lookUpReplaced } from './apply-replacement.ts';
import { commitChanges, receiptOf } from './commit-changes.ts';
import { lookupOnly } from './load-change.ts';
import { acknowledge, didSomething, done, nothing, refuse, toReceipt } from './receipts.ts';
import { refuseChange } from './apply-branch.ts';
import { ledgerOf, type Writing } from '../uses.ts';

/** Error in the receipt of a poison message. */
const notApplied = 'The change could not be applied';

const taskFailed = 'The rows of the file could not be written';

/** Refuses a change, and fails the job of a task. */
const refusePoison = async (writing: Writing, message: LogMessage): Promise<void> => {
  await refuseChange(writing, message, notApplied);
  await failTask(ledgerOf(writing), message, taskFailed);
};

/** Changes that a caller may wait for. They are not applied later, because other requests may have written since. */
const direct: ReadonlySet<string> = new Set(['upsert', 'patch', 'delete', 'remove_job', 'promote', 'restore']);

/** Looks up in the journal of the table whether a change was committed. Completes one that was. Returns whether it was. */
const completeIfCommitted = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<boolean> => {
  const engine = writing.deps.engines(index.organizationId, index.engine);
  const { state, results } = await engine.commit(toIndexRef(index), [lookupOnly], [message.receipt_id]);
  const result = results[0] ?? nothing;
  if (result.unfinished === true) await commitChanges(writing, index, [message]);
  else if (didSomething(result) || toReceipt(result).error !== null) {
    const commit = { state, outcomes: [{ message, result }], durationMs: 0, quota: null, room: null };
    await committed(ledgerOf(writing), index, commit, receiptOf(writing, null));
  } else return false;
  return true;
};

/**
 * Completes a task whose rows are committed. A job whose rows have replaced those of another must complete. Returns whether
 * the task is committed.
 */
const completeTask = async (
  writing: Writing,
  index: IndexRecord | null,
  message: MessageOf<'write_task'>,
): Promise<boolean> => {
  const ledger = ledgerOf(writing);
  const state = await stateOfTask(ledger, message);
  if (state === null) return false;
  if (state === 'open') {
    if (!isLive(index)) return false;
    const { replaces } = message.change;
    if (replaces !== null) {
      const replacement = { ...message, change: { ...message.change, replaces } };
      if (!(await lookUpReplaced(writing, index, replacement))) return false;
      await applyReplacement(writing, index, replacement, true);
      return true;
    }
    await endDoneJob(ledger, message);
  }
  await acknowledge(writing, message, done);
  return true;
};

/** Acknowledges a message whose change was committed, and refuses any other for good. Nothing is applied. */
const lookUpOrRefuse = async (writing: Writing, message: LogMessage): Promise<void> => {
  const { change } = message;
  const index = await writing.deps.indexes.get(message.organization_id, message.index_id);
  if (change.op === 'write_task') {
    if (await completeTask(writing, index, { ...message, change })) return;
  } else if (isLive(index) && direct.has(change.op)) {
    if (await completeIfCommitted(writing, index, message)) return;
  }
  await refusePoison(writing, message);
};

/**
 * The one way out of the log for a poison message, whose attempts have failed for minutes or were killed: it is looked up in
 * the journal and acknowledged, or refused. If that fails too, or was killed, the sweep repeats it, and the log goes on.
 */
export const endPoison = async (writing: Writing, message: unknown, mayLookUp: boolean): Promise<void> => {
  const { deps, run } = writing;
  const { data } = LogMessage.safeParse(message);
  run.log.error('log.poison', { ...idsOf(message), may_look_up: mayLookUp });
  if (data === undefined) {
    // Sent by a newer version, whose function should have replaced this one long ago.
    const unreadable = UnreadableMessage.safeParse(message).data;
    if (unreadable !== undefined) await refuse(writing, unreadable, notApplied);
    return;
  }
  // The note of the message remains, so the sweep repeats it.
  if (data.change.op === 'reconcile') return;
  if (mayLookUp) {
    try {
      await lookUpOrRefuse(writing, data);
      return;
    } catch (error) {
      run.log.error('log.poison.lookup.failed', { ...idsOf(message), error });
    }
  }
  await deps.indexes.noteReconciliation(data, run.clock.now().toISOString());
};

/**
 * Repeats the end of a poison message for the sweep. A failure is not retried here, so that it blocks no other change. After
 * a day the message is refused without another look.
 */
export const applyReconcile = async (writing: Writing, { change, ...rest }: MessageOf<'reconcile'>): Promise<void> => {
  const message = { ...rest, change: change.change };
  try {
    if (change.is_last) await refusePoison(writing, message);
    else await lookUpOrRefuse(writing, message);
    await writing.deps.indexes.endReconciliation(message);
  } catch (error) {
    writing.run.log.error('log.poison.lookup.failed', { ...idsOf(message), error });
  }
};

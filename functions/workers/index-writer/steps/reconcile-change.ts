import { type IndexRecord, isLive, type LogChange, type LogMessage } from '../../../../shared/indexes/index.ts';
import { noteMaintenanceFailure } from './apply-maintain.ts';
import { lookUpReplaced } from './apply-replacement.ts';
import { commitChanges } from './commit-changes.ts';
import { failTask } from './fail-task.ts';
import { notApplied } from './receipts.ts';
import { acknowledgeCompletedTask, isLate, reconciliationOf, taskFailed, unendedJob } from './reconciliation.ts';
import { refuseChange } from './refuse-change.ts';
import type { Writing } from '../uses.ts';

/**
 * Returns the change that continues at the end of the log: the end of a job whose rows are committed, or the count of paid
 * tokens. Null: the message is refused. A job whose rows have replaced others is ended at any time.
 */
const resumedChange = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<LogChange | null> => {
  const { change } = message;
  const now = writing.run.clock.now();
  if (change.op !== 'write_task' && change.op !== 'count_tokens') return null;
  const since = change.since ?? now.toISOString();
  if (change.op === 'count_tokens') return isLate(since, now) ? null : { ...change, since };
  if ((await unendedJob(writing, message, change)) === null) return null;
  const { replaces } = change;
  if (replaces === null) return isLate(since, now) ? null : { ...change, since };
  const taken = await lookUpReplaced(writing, index, { ...message, change: { ...change, replaces } });
  return taken ? { ...change, since, taken } : null;
};

/**
 * Reconciles a message of the log whose retries are exhausted, at its position in the log, as long as the table remembers
 * whether its change was committed. An uncommitted change is refused. Returns the message with which the reconciler
 * continues; null for none.
 */
export const reconcileChange = async (writing: Writing, message: LogMessage): Promise<LogMessage | null> => {
  const { deps, run } = writing;
  if (await acknowledgeCompletedTask(writing, message)) return null;
  const index = await deps.indexes.get(message.organization_id, message.index_id);
  if (isLive(index)) {
    const settlement = reconciliationOf(message.change, run.clock.now().toISOString());
    if (settlement !== null) {
      await commitChanges(writing, index, [{ ...message, change: settlement }]);
      return null;
    }
    const change = await resumedChange(writing, index, message);
    if (change !== null) return { ...message, change };
    if (message.change.op === 'maintain') await noteMaintenanceFailure(writing, index);
  }
  await refuseChange(writing, message, notApplied);
  await failTask(writing, message, taskFailed);
  return null;
};

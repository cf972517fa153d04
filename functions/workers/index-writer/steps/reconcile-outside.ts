import type { LogChange, LogMessage } from '../../../../shared/indexes/index.ts';
import { failTask } from './fail-task.ts';
import { notApplied, refuse } from './receipts.ts';
import { acknowledgeCompletedTask, isLate, reconciliationOf, taskFailed, unendedJob } from './reconciliation.ts';
import type { Reconciling } from './reconciler-uses.ts';

/** Returns the change to resend to the log for a message that left it. Null: the message is refused. */
const resentChange = async (reconciling: Reconciling, message: LogMessage): Promise<LogChange | null> => {
  const { change } = message;
  const now = reconciling.run.clock.now();
  const settlement = reconciliationOf(change, now.toISOString());
  if (settlement !== null) return isLate(settlement.since, now) ? null : settlement;
  if (change.op !== 'write_task' && change.op !== 'count_tokens') return null;
  const since = change.since ?? now.toISOString();
  if (change.op === 'write_task') {
    if ((await unendedJob(reconciling, message, change)) === null) return null;
    if (change.taken === true) return { ...change, since };
  }
  return isLate(since, now) ? null : { ...change, since };
};

/**
 * Reconciles a message outside the log, because reconciling it there failed. Only the writer can find out whether it was
 * committed, so a message that applies nothing is appended to the log. All other messages are refused.
 */
export const reconcileOutside = async (reconciling: Reconciling, message: LogMessage): Promise<void> => {
  const { deps, run } = reconciling;
  if (await acknowledgeCompletedTask(reconciling, message)) return;
  const change = await resentChange(reconciling, message);
  if (change !== null) {
    await deps.resends.resend({ ...message, change }, run.invocationId);
    return;
  }
  await refuse(reconciling, message, notApplied);
  await failTask(reconciling, message, taskFailed);
};

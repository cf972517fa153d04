import { LogMessage } from '../../../../shared/indexes/index.ts';
import { minuteMs } from '../../../../shared/kernel/durations.ts';
import { maxDelaySeconds } from '../../../../shared/platform/aws/queue.ts';
import type { Writing } from '../uses.ts';

/** Returns the milliseconds since the retries of a message were first exhausted; 0 if that is now. */
const failingMs = (message: unknown, now: Date): number => {
  const { data } = LogMessage.safeParse(message);
  const since = data !== undefined && 'since' in data.change ? data.change.since : undefined;
  return since === undefined ? 0 : now.getTime() - Date.parse(since);
};

/**
 * Sends a message to the reconciler. A message that the reconciler has resent is delayed for as long as it has been failing,
 * so that it seldom blocks the log again.
 */
export const sendToReconciler = async ({ deps, run }: Writing, message: unknown): Promise<void> => {
  const ms = failingMs(message, run.clock.now());
  const delaySeconds = ms < minuteMs ? 0 : Math.min(maxDelaySeconds, Math.floor(ms / 1_000));
  await deps.reconciler.send(message, delaySeconds);
};

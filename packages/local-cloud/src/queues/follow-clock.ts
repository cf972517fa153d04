import type { Clock } from '../../../../shared/kernel/clock.ts';
import { deduplicationMs } from './deduplication-key.ts';
import type { MessageTable } from './message-table.ts';

/**
 * Returns a function that returns the present time, for comparisons with times in the table. It must not be called in a
 * transaction. If the clock was set back since the last call, or since the latest time in the table, it first sets back
 * the future times by as much. Otherwise delayed messages would stay hidden, and ids duplicates, for that much longer.
 */
export const followClock = ({ statements, transaction }: MessageTable, clock: Clock): (() => number) => {
  let latest = Number(statements.latest.get({ deduplicationMs })?.['at']);
  return () => {
    const now = clock.now().getTime();
    if (now < latest) {
      const step = { now, stepMs: latest - now };
      transaction(() => {
        statements.setBackMessages.run(step);
        statements.setBackDeduplications.run(step);
      });
    }
    latest = now;
    return now;
  };
};

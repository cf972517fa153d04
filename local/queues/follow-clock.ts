import type { Clock } from '../../shared/kernel/clock.ts';
import { deduplicationMs } from './deduplication-key.ts';
import type { MessageTable } from './message-table.ts';

/**
 * The present moment, for whoever compares it with the times in the table; not to be asked for in a transaction. Where
 * the clock was set back since the last time that was asked, or that the table knows of, the times to come are set back
 * as far first: otherwise what waits or is in flight would stay hidden, and an id a duplicate, for that much longer.
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

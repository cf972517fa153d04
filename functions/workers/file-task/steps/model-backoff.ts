import { randomInt } from 'node:crypto';
import { maxDelaySeconds } from '../../../../shared/platform/aws/queue.ts';

/** A per-minute quota has been reset after this time. */
const firstSeconds = 90;

/**
 * Delay in seconds before a task retries an overloaded model. It doubles with every run, since each run renders its
 * pages again. A third of it is random, so that throttled tasks do not return at the same time.
 * @param runs Number of runs, including the throttled one.
 */
export const modelBackoffSeconds = (runs: number): number => {
  const max = Math.min(maxDelaySeconds, firstSeconds * 2 ** (runs - 1));
  return randomInt(Math.floor((max * 2) / 3), max + 1);
};

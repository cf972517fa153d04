import { randomInt } from 'node:crypto';
import { maxDelaySeconds } from '../../../../shared/platform/aws/queue.ts';

/** A quota of requests a minute has begun anew by then. */
const firstSeconds = 90;

/**
 * Seconds that a task waits for a model with too much to do: the longer, the more runs it has had, since each fetches and
 * draws its pages anew. A third of the pause is chance, so that not all come back at once that a model has sent away.
 * @param runs The one that was sent away included.
 */
export const pauseForModel = (runs: number): number => {
  const most = Math.min(maxDelaySeconds, firstSeconds * 2 ** (runs - 1));
  return randomInt(Math.floor((most * 2) / 3), most + 1);
};

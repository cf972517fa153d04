import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** Maximum checks whether other requests have decided. The pauses between them take up to 2.5 seconds together. */
export const maxChecks = 7;
const shortestPauseMs = 10;

/** Waits for other requests to decide, with exponential backoff and jitter. */
export const pauseAfter = async (check: number): Promise<void> => {
  const ms = shortestPauseMs * 2 ** check;
  await pause(randomInt(ms, 2 * ms));
};

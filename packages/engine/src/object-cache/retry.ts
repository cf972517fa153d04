import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** Mean pauses before the repeats of a failed request. The first is short: often only a kept connection has died. */
const pausesMs = [20, 300, 900];
/** A repeat does not begin later than this after the first attempt. */
const retryWindowMs = 2_000;
/** Requests that failed with all repeats are not sent again for this long. The engine repeats what fails by itself. */
const restMs = 2_000;
const maxResting = 1_000;

/** Whether a repeat may succeed: S3 was throttled or in trouble. */
const isTransientStatus = (status: number): boolean => status >= 500 || status === 429 || status === 408;

/** A request that failed with all repeats a moment ago. */
class StoreResting extends Error {
  constructor(request: string) {
    super(`the object store has failed a moment ago: ${request}`);
    this.name = 'StoreResting';
  }
}

interface Attempted {
  readonly status: number;
  /** Drops the body of a response that is not used. */
  readonly drop: () => void;
}

/**
 * Sends requests with at most three repeats within two seconds.
 * @returns A function that takes the name of a request, and an attempt that gets its number from 0. It returns the last
 * response, and throws the last error or `StoreResting`.
 */
export const openRetries = () => {
  const resting = new LRUCache<string, true>({ max: maxResting, ttl: restMs });
  return async <Response extends Attempted>(
    name: string,
    attempt: (number: number) => Promise<Response>,
  ): Promise<Response> => {
    if (resting.has(name)) throw new StoreResting(name);
    const beganMs = performance.now();
    for (let number = 0; ; number += 1) {
      const pauseMs = (pausesMs[number] ?? Number.POSITIVE_INFINITY) * (0.5 + Math.random());
      const isLast = (): boolean => performance.now() + pauseMs - beganMs > retryWindowMs;
      try {
        const response = await attempt(number);
        if (!isTransientStatus(response.status)) return response;
        if (isLast()) {
          resting.set(name, true);
          return response;
        }
        response.drop();
      } catch (error) {
        if (isLast()) {
          resting.set(name, true);
          throw error;
        }
      }
      await pause(pauseMs);
    }
  };
};

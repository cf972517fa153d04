import { setTimeout as delay } from 'node:timers/promises';

const longestPauseMs = 250;

/**
 * Asks again and again until there is an answer, neither null nor undefined, that satisfies; throws with the last one
 * after `seconds`.
 */
export const eventually = async <Result>(
  ask: () => Result | Promise<Result>,
  satisfies: (result: NonNullable<Result>) => boolean = () => true,
  seconds = 60,
): Promise<NonNullable<Result>> => {
  const endsAt = performance.now() + seconds * 1000;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const result = await ask();
    if (result !== null && result !== undefined && satisfies(result)) return result;
    if (performance.now() > endsAt)
      throw new Error(`not reached within ${seconds} s: ${JSON.stringify(result)?.slice(0, 2000)}`);
    await delay(pauseMs);
  }
};

import { setTimeout as delay } from 'node:timers/promises';

/** Asks `probe` again and again until it gives something other than null or undefined; fails after `limitMs`. */
export const eventually = async <Value>(
  what: string,
  probe: () => Value | null | undefined | Promise<Value | null | undefined>,
  limitMs = 60_000,
): Promise<Value> => {
  const endsAt = performance.now() + limitMs;
  for (;;) {
    const value = await probe();
    if (value !== null && value !== undefined) {
      return value;
    }
    if (performance.now() > endsAt) {
      throw new Error(`${what} did not happen within ${limitMs} ms`);
    }
    await delay(20);
  }
};

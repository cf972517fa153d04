import { setImmediate, setTimeout as delay } from 'node:timers/promises';

const requireWanted = (isWanted: () => boolean): void => {
  if (!isWanted()) throw new Error('the rows are no longer needed');
};

/** Returns a function that yields to other work, and throws if the rows are no longer needed. */
export const yielding = (isWanted: () => boolean) => async (): Promise<void> => {
  await setImmediate();
  requireWanted(isWanted);
};

/** Rest per unit of background work: queries have priority. */
const restForWork = 2;

/** Returns a function that yields, with a rest after each step. */
export const yieldingWithRest = (isWanted: () => boolean) => {
  let resumedMs = performance.now();
  return async (): Promise<void> => {
    await delay(restForWork * (performance.now() - resumedMs));
    requireWanted(isWanted);
    resumedMs = performance.now();
  };
};

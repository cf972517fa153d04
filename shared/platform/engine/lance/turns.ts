import { setImmediate, setTimeout as delay } from 'node:timers/promises';

const requireWanted = (isWanted: () => boolean): void => {
  if (!isWanted()) throw new Error('nobody wants these rows any more');
};

/** Lets others have a turn, and ends where nobody wants these rows any more. */
export const pausing = (isWanted: () => boolean) => async (): Promise<void> => {
  await setImmediate();
  requireWanted(isWanted);
};

/** How much longer than it works what nobody waits for takes rests: there is time, and those who ask have none. */
const restForWork = 2;

/** The same, with a rest after each step. */
export const resting = (isWanted: () => boolean) => {
  let resumedMs = performance.now();
  return async (): Promise<void> => {
    await delay(restForWork * (performance.now() - resumedMs));
    requireWanted(isWanted);
    resumedMs = performance.now();
  };
};

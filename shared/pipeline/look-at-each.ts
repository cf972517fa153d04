import { inParallel } from '../kernel/in-parallel.ts';

/** Things of one kind that a sweep looks at. */
export const mostLookedAt = 500;
const atOnce = 10;

/** Looks at each, whatever becomes of the others: one in a region that does not answer holds up none elsewhere. */
export const lookAtEach = async <Thing>(
  things: readonly Thing[],
  look: (thing: Thing) => Promise<unknown>,
): Promise<void> => {
  const errors: unknown[] = [];
  await inParallel(things, atOnce, (thing) => look(thing).catch((error: unknown) => errors.push(error)));
  if (errors.length > 0) throw new AggregateError(errors, 'not everything that waits could be looked at');
};

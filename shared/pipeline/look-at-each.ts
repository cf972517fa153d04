import { inParallel } from '../kernel/in-parallel.ts';

/** Items of one kind of work that one run of a sweep handles. */
export const maxLookedAt = 500;
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

import { inParallel } from '../kernel/in-parallel.ts';

/** Maximum items of one kind that one run of a sweep processes. */
export const maxBatchItems = 500;
const atOnce = 10;

/** Processes each item independently: an item in an unavailable region delays no item elsewhere. Throws all errors together. */
export const processBatch = async <Thing>(
  things: readonly Thing[],
  look: (thing: Thing) => Promise<unknown>,
): Promise<void> => {
  const errors: unknown[] = [];
  await inParallel(things, atOnce, (thing) => look(thing).catch((error: unknown) => errors.push(error)));
  if (errors.length > 0) throw new AggregateError(errors, 'some items of the batch could not be processed');
};

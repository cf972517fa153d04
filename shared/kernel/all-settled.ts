/** Waits for all parts of a run, none of which keeps the others from their end; throws what failed, together. */
export const allSettled = async (parts: readonly Promise<unknown>[], what: string): Promise<void> => {
  const outcomes = await Promise.allSettled(parts);
  const errors = outcomes.flatMap((part) => (part.status === 'rejected' ? [part.reason as unknown] : []));
  if (errors.length > 0) throw new AggregateError(errors, what);
};

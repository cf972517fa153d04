/** Waits for all promises and then throws their errors together, as an `AggregateError` with the message `what`. */
export const allSettled = async (parts: readonly Promise<unknown>[], what: string): Promise<void> => {
  const outcomes = await Promise.allSettled(parts);
  const errors = outcomes.flatMap((part) => (part.status === 'rejected' ? [part.reason as unknown] : []));
  if (errors.length > 0) throw new AggregateError(errors, what);
};

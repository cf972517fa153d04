/** Name of `InvalidCursor`, by which a caller in another region recognizes it. */
export const invalidCursor = 'InvalidCursor';

/** Error of a list whose `after` the engine did not return, or has forgotten. */
export class InvalidCursor extends Error {
  constructor(cause: unknown) {
    super('The engine does not know where the list goes on', { cause });
    this.name = invalidCursor;
  }
}

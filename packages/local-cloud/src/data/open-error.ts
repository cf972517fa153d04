/** Returns the innermost message of an error, which names the cause. */
const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : causeOf(error.cause);
};

/** Returns an error in one line for a store that cannot be opened. It names the path of its file or folder. */
export const openError = (path: string, error: unknown): Error =>
  new Error(`${path} cannot be opened: ${causeOf(error)}`, { cause: error });

import { AppError, unavailable } from '../kernel/errors.ts';

/**
 * What the caller is told of an index that could not be read.
 * @param refused Whether the embedding model refuses, as with a wrong key or name: no repeat helps, so none is asked for.
 */
export const readFailure = (cause: unknown, refused: boolean): AppError =>
  refused
    ? new AppError(
        'unavailable',
        'The embedding model of this service refuses the request: a repeat does not help before its operator has looked',
        { cause },
      )
    : unavailable(cause);

import { AppError, unavailable } from '../kernel/errors.ts';
import type { Operation } from './contracts.ts';

/** How a read failed, if that is known. */
interface ReadFault {
  /**
   * Whether the embedding model refused the request, for example because of a wrong key or name. No repeat helps then,
   * so the caller is not asked to repeat.
   */
  readonly refused: boolean;
  /** Whether the read did not end in its time. */
  readonly isLate: boolean;
}

/** Whether a read compares with every row, so that a repeat takes as long. */
const readsAll = (operation: Operation): boolean =>
  operation.op === 'recall' || (operation.op === 'search' && operation.exact);

/** Converts the error of a failed read to one for the caller. */
export const toReadError = (cause: unknown, operation: Operation, { refused, isLate }: ReadFault): AppError => {
  if (refused)
    return new AppError(
      'unavailable',
      'The embedding model of this service refuses the request: do not repeat it, its operator must correct the configuration',
      { cause },
    );
  if (isLate && readsAll(operation))
    return new AppError(
      'search_too_large',
      'An exact search compares with every row, and could not read all of them in its time. Search without `exact`, or divide the rows over several indexes',
      { cause },
    );
  return unavailable(cause);
};

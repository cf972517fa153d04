import { AppError, unavailable, ValidationFailure, valueProblem } from '../kernel/errors.ts';
import { damagedMessage } from '#engine';
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
  /** Whether the engine did not know the cursor of a list. */
  readonly isInvalidCursor: boolean;
  /** Whether the version that was read is no longer kept. */
  readonly isVersionGone: boolean;
  /** Whether stored data of the index is missing or damaged. */
  readonly isDamaged: boolean;
}

const searchesAll =
  'An exact search compares with every row, and could not read all of them in its time. Search without `exact`, or divide the rows over several indexes';
const summarizesAll =
  'A summary of metadata reads every matching row, and could not read all of them in its time. Use a filter that fewer rows match';

const ordersAll =
  'An ordered list reads every matching row, and could not read all of them in its time. Use a filter that fewer rows match';

const invalidCursor = 'this is no cursor of an earlier response, or it has expired. Begin with the first page';
const versionExpired =
  'The version of the index that this reads is no longer kept. With a cursor, begin with the first page';

/** Returns the message for a read of every row, because a repeat takes as long. Null for other reads. */
const readsAll = (operation: Operation): string | null => {
  if (operation.op === 'list') return operation.order === null ? null : ordersAll;
  if (operation.op === 'values' || operation.op === 'describe') return summarizesAll;
  return operation.op === 'recall' || (operation.op === 'search' && operation.exact) ? searchesAll : null;
};

/** Converts the error of a failed read to one for the caller. */
export const toReadError = (
  cause: unknown,
  operation: Operation,
  { refused, isLate, isInvalidCursor, isVersionGone, isDamaged }: ReadFault,
): Error => {
  if (refused)
    return new AppError(
      'unavailable',
      'The embedding model of this service refuses the request: do not repeat it, its operator must correct the configuration',
      { cause },
    );
  // Without `retry-after`, since no repeat helps.
  if (isDamaged) return new AppError('unavailable', damagedMessage, { cause });
  if (isVersionGone) return new AppError('cursor_expired', versionExpired, { cause });
  if (isInvalidCursor) return new ValidationFailure([valueProblem(['query', 'cursor'], invalidCursor)]);
  const tooLarge = readsAll(operation);
  if (isLate && tooLarge !== null) return new AppError('search_too_large', tooLarge, { cause });
  return unavailable(cause);
};

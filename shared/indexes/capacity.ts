import { AppError } from '../kernel/errors.ts';
import { engines } from '#engine';
import type { IndexRecord } from './record.ts';

/** Size from which an index takes no more content. The first maximum that it reaches counts. */
export interface IndexLimits {
  /** Numbers of all vectors: rows × dimensions. */
  readonly numbers: number;
  /** Bytes of vectors and texts. */
  readonly bytes: number;
}

/** Share of a maximum from which an index warns. */
const warningRatio = 0.8;

type Sized = Pick<IndexRecord, 'engine' | 'dimensions'> & {
  readonly state: Pick<IndexRecord['state'], 'rows' | 'denseBytes' | 'sparseBytes'>;
};

/** Returns how much of its maximum size an index has reached; null if its engine has no maximum. */
export const capacityOf = ({ engine, dimensions, state }: Sized, limits: IndexLimits) => {
  if (!engines[engine].hasMaximumSize) return null;
  const numbers = state.rows * dimensions;
  const bytes = state.denseBytes + state.sparseBytes;
  return {
    vector_numbers: numbers,
    max_vector_numbers: limits.numbers,
    content_bytes: bytes,
    max_content_bytes: limits.bytes,
    ratio: Math.max(numbers / limits.numbers, bytes / limits.bytes),
  };
};

/** Returns the capacity after a commit that takes the index over the warning; null after any other. */
export const crossedWarning = (before: Sized, after: Sized, limits: IndexLimits) => {
  const capacity = capacityOf(after, limits);
  if (capacity === null || capacity.ratio < warningRatio) return null;
  return (capacityOf(before, limits)?.ratio ?? 0) < warningRatio ? capacity : null;
};

/** Seconds after which a write to an index that is behind is repeated. */
const catchUpSeconds = 5;

/** Throws 429 if an index has so many recent rows that writes wait until its builder has added them to its table. */
export const requireCaughtUp = ({ state }: Pick<IndexRecord, 'state'>): void => {
  if (state.maintenance !== 'overdue') return;
  throw new AppError(
    'rate_limited',
    'The index has more recent rows than it takes at once, and is adding them to its table. Try again in some seconds',
    { headers: { 'retry-after': String(catchUpSeconds) } },
  );
};

/** Throws 409 if an index is full: it takes no more content. */
export const requireNotFull = ({ limits }: { readonly limits: IndexLimits }, index: Sized): void => {
  const capacity = capacityOf(index, limits);
  if (capacity === null || capacity.ratio < 1) return;
  const { vector_numbers: numbers, content_bytes: bytes } = capacity;
  const isOfNumbers = numbers >= limits.numbers;
  const [current, limit] = isOfNumbers ? [numbers, limits.numbers] : [bytes, limits.bytes];
  const unit = isOfNumbers ? 'numbers in its vectors' : 'bytes of vectors and texts';
  throw new AppError(
    'index_full',
    `The index is full: it has ${current} ${unit}, and takes no more content from ${limit}. Delete rows, or write to another index; the engine s3_vectors has no such maximum`,
    { fields: { limit, current } },
  );
};

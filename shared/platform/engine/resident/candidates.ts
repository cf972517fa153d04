import { bins, type VectorMemory } from './vector-memory.ts';

/** What the distances of rows from the mean are like. */
export interface Spread {
  /** What nearly all of them do not exceed. */
  readonly reach: number;
}

/** The rows that sketches put nearest to a question. */
export interface Candidates {
  /** Of how many rows an estimate is at most that of bin `last`. */
  readonly count: number;
  readonly last: number;
}

/** More candidates than wanted by this much say that sketches cannot tell the rows apart. */
const surplus = 4;
const surplusFloor = 1_000;

/**
 * Estimates how far every row lies from `memory.query`, which leaves the bin of each in `binOf` and the rows of each bin in
 * `histogram`. A row that lies as far from the mean as nearly all do, at a right angle to the question, is in the last bin.
 */
export const estimateAll = (memory: VectorMemory, queryScale: number, { reach }: Spread): void => {
  const { run, at, sketched, rowBytes, rows } = memory;
  if (sketched === null) throw new Error('the rows have no sketches');
  const { bits, roundBytes } = sketched;
  const square = run.sketch(
    at.query,
    queryScale,
    at.mean,
    at.signs,
    rowBytes,
    at.scratch,
    roundBytes,
    bits,
    at.querySketch,
  );
  const radius = Math.sqrt(square);
  const lowest = radius <= reach ? -square : reach * (reach - 2 * radius);
  const perBin = (bins - 1) / Math.max(reach * reach - lowest, Number.MIN_VALUE);
  memory.histogram.fill(0);
  run.estimate(
    at.sketches,
    at.radii,
    rows,
    bits / 8,
    at.querySketch,
    2 * radius,
    lowest,
    perBin,
    bins - 1,
    at.binOf,
    at.histogram,
  );
};

/** The bin up to which estimates hold `wanted` rows; null where that are far more, which sketches cannot tell apart. */
export const candidatesOf = ({ histogram }: VectorMemory, wanted: number): Candidates | null => {
  let count = 0;
  for (let last = 0; last < bins; last += 1) {
    count += histogram[last] ?? 0;
    if (count >= wanted) return count > wanted * surplus + surplusFloor ? null : { count, last };
  }
  return null;
};

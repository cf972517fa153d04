import { bins, firstBytes, type VectorMemory } from './vector-memory.ts';

/** What the distances of rows from the mean are like. */
export interface Spread {
  /** What nearly all of them do not exceed. */
  readonly reach: number;
}

/** How estimates for one question become bins. */
interface Aim {
  /** Twice the distance of the question from the mean. */
  readonly twice: number;
  readonly lowest: number;
  readonly perBin: number;
}

/** Where the bins of estimates end that hold the rows which are wanted, and how many rows that are. */
export interface Cut {
  readonly count: number;
  readonly last: number;
}

/** More candidates than wanted by this much say that sketches cannot tell the rows apart. */
const surplus = 4;
const surplusFloor = 1_000;

/**
 * Sketches `memory.query`. A row that lies as far from the mean as nearly all do, at a right angle to the question, is in
 * the last bin.
 */
export const aimAt = ({ run, at, sketched, rowBytes }: VectorMemory, queryScale: number, { reach }: Spread): Aim => {
  if (sketched === null) throw new Error('the rows have no sketches');
  const { bits, roundBytes } = sketched;
  const [first, rest] = [at.querySketch, at.querySketch + firstBytes];
  const { query, mean, signs, scratch } = at;
  const square = run.sketch(query, queryScale, mean, signs, rowBytes, scratch, roundBytes, bits, first, rest);
  const radius = Math.sqrt(square);
  const lowest = radius <= reach ? -square : reach * (reach - 2 * radius);
  return { twice: 2 * radius, lowest, perBin: (bins - 1) / Math.max(reach * reach - lowest, Number.MIN_VALUE) };
};

/** Estimates rows by the first part of their sketches or by the whole, which leaves the bin of each in `binOf`. */
const estimate = (
  { run, at, histogram, sketched }: VectorMemory,
  { twice, lowest, perBin }: Aim,
  { places, count, whole }: { readonly places: number; readonly count: number; readonly whole: boolean },
): void => {
  const restBytes = whole ? (sketched?.bits ?? 0) / 8 - firstBytes : 0;
  const { first, rest, radii, querySketch, binOf } = at;
  histogram.fill(0);
  run.estimate(
    first,
    rest,
    restBytes,
    radii,
    places,
    count,
    querySketch,
    twice,
    lowest,
    perBin,
    bins - 1,
    binOf,
    at.histogram,
  );
};

/** Estimates all rows, for whoever looks at `binOf` and `histogram`. */
export const estimateAll = (memory: VectorMemory, aim: Aim, whole: boolean): void =>
  estimate(memory, aim, { places: 0, count: memory.rows, whole });

/** Where to cut so that `wanted` rows are kept; null where far more lie there, which sketches cannot tell apart. */
const cutAt = ({ histogram }: VectorMemory, wanted: number): Cut | null => {
  let count = 0;
  for (let last = 0; last < bins; last += 1) {
    count += histogram[last] ?? 0;
    if (count >= wanted) return count > wanted * surplus + surplusFloor ? null : { count, last };
  }
  return { count, last: bins - 1 };
};

/** How many rows the first part of sketches and, of these, the whole ones are to leave. */
export interface Wanted {
  readonly first: number;
  readonly whole: number;
}

/** Leaves the candidates of a question in `picked`, and tells how many they are; null where sketches are no help. */
export const pickCandidates = (memory: VectorMemory, aim: Aim, wanted: Wanted): number | null => {
  const { run, at, rows } = memory;
  estimateAll(memory, aim, false);
  const first = cutAt(memory, wanted.first);
  if (first === null) return null;
  run.collect(at.binOf, 0, rows, first.last, at.places);
  // The kernel reads places in groups of eight.
  memory.places.fill(0, first.count, first.count + 8);
  estimate(memory, aim, { places: at.places, count: first.count, whole: true });
  const whole = cutAt(memory, wanted.whole);
  return whole === null ? null : run.collect(at.binOf, at.places, first.count, whole.last, at.picked);
};

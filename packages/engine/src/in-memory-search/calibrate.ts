import { distanceTableFor, estimateAll, type DistanceStatistics, type Wanted } from './candidates.ts';
import { highestOf } from './top-rows.ts';
import { compareFrom } from './compare-rows.ts';
import { fillSample } from './quantize-rows.ts';
import { inSteps, type VectorMemory } from './vector-memory.ts';

/** Measured numbers of candidates that contain nearly all of the nearest 10 and the nearest 100 rows. */
export interface Calibration {
  readonly ten: Wanted;
  readonly hundred: Wanted;
  /** Number of rows at the measurement. */
  readonly rows: number;
}

/** Rows that serve as queries. */
const asked = 20;
const [few, many] = [10, 100];
/** Share of the neighbours that each of the two estimates, by partial and by whole codes, has to find. */
const wantedShare = 0.995;
/** Factor for real queries, which are a little farther from all rows than stored rows are. */
const margin = 1.3;

/** Returns the rank of each of some rows by `memory.histogram`: that of the last row of its bin. */
const ranksOf = ({ histogram, binOf }: VectorMemory, places: readonly number[]): readonly number[] => {
  const upTo = new Float64Array(histogram.length);
  let count = 0;
  for (let bin = 0; bin < histogram.length; bin += 1) upTo[bin] = count += histogram[bin] ?? 0;
  return places.map((place) => upTo[binOf[place] ?? 0] ?? count);
};

const quantile = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * wantedShare) - 1] ?? 0;
};

/** Returns the positions of the rows nearest to the one in `memory.asked`, which is itself at `place`. */
const neighboursOf = async (
  memory: VectorMemory,
  own: number,
  pause: () => Promise<void>,
): Promise<readonly number[]> => {
  const { rows, askedCompared } = memory;
  await inSteps(memory, pause, (place, count) => compareFrom(memory, 'measure', place, count));
  return highestOf(askedCompared, rows, many + 1)
    .filter((place) => place !== own)
    .slice(0, many);
};

/** Returns the first row from a position on that is not removed. Null if there is none. */
const liveFrom = ({ rows, scales }: VectorMemory, place: number): number | null => {
  for (let at = place; at < rows; at += 1) if (!Number.isNaN(scales[at])) return at;
  return null;
};

/**
 * Measures how well quantization codes find the neighbours of some rows, against comparing all rows. Null if all rows
 * are removed. Yields between steps of about a millisecond, in which others may search, add and remove rows.
 */
export const calibrate = async (
  memory: VectorMemory,
  statistics: DistanceStatistics,
  pause: () => Promise<void>,
): Promise<Calibration | null> => {
  fillSample(memory);
  const changed = (memory.changed = new Set<number>());
  const { rows, width, vectors, scales, asked: vector } = memory;
  const ranks: Record<'first' | 'whole', (readonly number[])[]> = { first: [], whole: [] };
  for (let number = 0; number < asked; number += 1) {
    const own = liveFrom(memory, Math.floor((rows * number) / asked));
    if (own === null) break;
    vector.set(vectors.subarray(own * width, (own + 1) * width));
    const scale = scales[own] ?? 0;
    const neighbours = await neighboursOf(memory, own, pause);
    for (const part of ['first', 'whole'] as const) {
      memory.query.set(vector);
      estimateAll(memory, distanceTableFor(memory, scale, statistics), part);
      const same = neighbours.filter((place) => !changed.has(place));
      ranks[part].push(ranksOf(memory, same));
      await pause();
    }
  }
  memory.changed = null;
  if (ranks.whole.length === 0) return null;
  const wantedFor = (nearest: number): Wanted => ({
    first: margin * quantile(ranks.first.flatMap((of) => of.slice(0, nearest))),
    whole: margin * quantile(ranks.whole.flatMap((of) => of.slice(0, nearest))),
  });
  return { ten: wantedFor(few), hundred: wantedFor(many), rows };
};

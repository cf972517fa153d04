import { aimAt, estimateAll, type Spread, type Wanted } from './candidates.ts';
import { highestOf } from './best.ts';
import { compareFrom } from './compare-rows.ts';
import { fillSample } from './sketch-rows.ts';
import { inSteps, type VectorMemory } from './vector-memory.ts';

/** How many candidates it takes to find nearly all of the nearest 10 and of the nearest 100 rows. */
export interface Calibration {
  readonly ten: Wanted;
  readonly hundred: Wanted;
  /** Rows among which that was measured. */
  readonly rows: number;
}

/** Rows that are asked for their neighbours. */
const asked = 20;
const [few, many] = [10, 100];
/** The share of the neighbours that has to be found: by both parts of the sketches, one after the other. */
const wantedShare = 0.995;
/** Questions from outside lie a little farther from all rows than rows themselves do. */
const margin = 1.3;

/** The rank that `memory.histogram` gives to each of some rows: that of the last one of its bin. */
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

/** The places of the nearest rows to the one in `memory.asked`, which stands at a place itself. */
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

/** The first row from a place on that is not gone; null where there is none. */
const liveFrom = ({ rows, scales }: VectorMemory, place: number): number | null => {
  for (let at = place; at < rows; at += 1) if (!Number.isNaN(scales[at])) return at;
  return null;
};

/**
 * Asks for the neighbours of some rows, by comparing all and by sketches; null where all are gone. It pauses between steps of
 * about a millisecond, in which others may search, put rows and remove them.
 */
export const calibrate = async (
  memory: VectorMemory,
  spread: Spread,
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
      estimateAll(memory, aimAt(memory, scale, spread), part);
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

import { aimAt, estimateAll, type Spread, type Wanted } from './candidates.ts';
import { bestOfAll, compareFrom } from './compare-rows.ts';
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

/** The nearest rows to one row, besides itself; `memory.query` is that row then, and all have been compared with it. */
const neighboursOf = async (
  memory: VectorMemory,
  own: number,
  pause: () => Promise<void>,
): Promise<readonly number[]> => {
  const { width, scales, vectors, query } = memory;
  query.set(vectors.subarray(own * width, (own + 1) * width));
  await inSteps(memory, pause, (place, count) => compareFrom(memory, place, count));
  const nearest = bestOfAll(memory, scales[own] ?? 0, many + 1).map(({ place }) => place);
  return nearest.filter((place) => place !== own).slice(0, many);
};

/** Asks for the neighbours of some rows, by comparing all and by sketches. It pauses between steps of about a millisecond. */
export const calibrate = async (
  memory: VectorMemory,
  spread: Spread,
  pause: () => Promise<void>,
): Promise<Calibration> => {
  const [first, whole]: [number[][], number[][]] = [[], []];
  for (let number = 0; number < asked; number += 1) {
    const own = Math.floor((memory.rows * number) / asked);
    const neighbours = await neighboursOf(memory, own, pause);
    const aim = aimAt(memory, memory.scales[own] ?? 0, spread);
    for (const [ranks, part] of [
      [first, 'first'],
      [whole, 'whole'],
    ] as const) {
      estimateAll(memory, aim, part);
      ranks.push([...ranksOf(memory, neighbours)]);
      await pause();
    }
  }
  const wantedFor = (nearest: number): Wanted => ({
    first: margin * quantile(first.flatMap((ranks) => ranks.slice(0, nearest))),
    whole: margin * quantile(whole.flatMap((ranks) => ranks.slice(0, nearest))),
  });
  return { ten: wantedFor(few), hundred: wantedFor(many), rows: memory.rows };
};

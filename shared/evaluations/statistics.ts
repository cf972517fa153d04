import { randomNumbers } from '../kernel/random-numbers.ts';

/** A mean with its 95 % interval. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Resamples of a bootstrap. More change the bounds by less than a hundredth of the width of an interval. */
const resamples = 2_000;
const seed = 20_260_131;
const tail = 0.025;

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Returns the means of several lists of values of the same questions, with 95 % intervals of a percentile bootstrap over the
 * questions. All lists share the resamples, so that the interval of a difference is paired. The seed is fixed.
 */
export const estimates = (lists: readonly (readonly number[])[]): readonly Estimate[] => {
  const count = lists[0]?.length ?? 0;
  const next = randomNumbers(seed);
  const columns = lists.map((list) => Float64Array.from(list));
  const means = columns.map(() => new Float64Array(resamples));
  const drawn = new Uint32Array(count);
  for (let sample = 0; sample < resamples; sample += 1) {
    for (let at = 0; at < count; at += 1) drawn[at] = next() % count;
    for (const [column, values] of columns.entries()) {
      let sum = 0;
      for (const at of drawn) sum += values[at] ?? 0;
      const list = means[column];
      if (list !== undefined) list[sample] = sum / count;
    }
  }
  return means.map((sampled, column) => {
    const mean = meanOf(lists[column] ?? []);
    if (count === 0) return { mean, low: 0, high: 0 };
    sampled.sort();
    const bound = (share: number): number => sampled[Math.round(share * (resamples - 1))] ?? mean;
    return { mean, low: bound(tail), high: bound(1 - tail) };
  });
};

/** Standard normal quantiles: of a two-sided 95 % interval, and of a power of 80 %. */
const [intervalQuantile, powerQuantile] = [1.959964, 0.841621];
const missedShare = 0.2;

/**
 * Returns the smallest mean loss that is found with a probability of 80 %, from the differences of the questions. If few or
 * none differ, that is the share of questions that would have to lose everything for one of them to be drawn that often.
 */
export const detectableLoss = (differences: readonly number[]): number => {
  const { length: count } = differences;
  if (count < 2) return 1;
  const mean = meanOf(differences);
  const variance = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const rare = 1 - missedShare ** (1 / count);
  return Math.min(1, Math.max((intervalQuantile + powerQuantile) * Math.sqrt(variance / count), rare));
};

/** Judgement of an evaluation about a loss. */
export type Verdict = 'passed' | 'lost' | 'too_small';

/**
 * Decides whether content may take over. A loss above `maxLoss` whose interval excludes 0 is one, however few questions there
 * are. Without one, the set must be large enough to have found a loss of `maxLoss`.
 */
export const judge = (
  { mean, high }: Pick<Estimate, 'mean' | 'high'>,
  detectable: number,
  maxLoss: number,
): Verdict => {
  if (-mean > maxLoss && high < 0) return 'lost';
  return detectable > maxLoss ? 'too_small' : 'passed';
};

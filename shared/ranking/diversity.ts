import { scaledOver, type StagedHit } from './staged-hit.ts';

/** Hits whose order is chosen. Each choice compares one vector with all others. */
const maxDiversified = 400;

type Item = readonly [StagedHit, ...StagedHit[]];

const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(vector.reduce((sum, number) => sum + number * number, 0));
  return length > 0 ? vector.map((number) => number / length) : vector;
};

const dot = (one: Float32Array, other: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
};

/**
 * Orders groups of hits by maximal marginal relevance: each choice maximizes `(1 - diversity) × score` minus `diversity ×`
 * the highest cosine with a chosen one. Scores are scaled to 0…1, and a group is represented by its best hit.
 * Source: Carbonell and Goldstein, 1998.
 * @param wanted Number of choices. The others follow in their order.
 */
export const diversify = (items: readonly Item[], diversity: number, wanted: number): readonly Item[] => {
  const candidates = items.slice(0, maxDiversified);
  const scale = scaledOver(candidates.map(([{ score }]) => score));
  const left = candidates.map((item) => ({
    item,
    relevance: scale(item[0].score),
    vector: unit(item[0].row.vector ?? new Float32Array()),
    nearest: 0,
  }));
  const chosen: Item[] = [];
  while (left.length > 0 && chosen.length < wanted) {
    const worth = ({ relevance, nearest }: (typeof left)[number]): number =>
      (1 - diversity) * relevance - (chosen.length === 0 ? 0 : diversity * nearest);
    let best = 0;
    for (const [at, candidate] of left.entries()) {
      const other = left[best];
      if (other !== undefined && worth(candidate) > worth(other)) best = at;
    }
    const [taken] = left.splice(best, 1);
    if (taken === undefined) break;
    for (const candidate of left) {
      const near = dot(candidate.vector, taken.vector);
      candidate.nearest = chosen.length === 0 ? near : Math.max(candidate.nearest, near);
    }
    chosen.push(taken.item);
  }
  return [...chosen, ...left.map(({ item }) => item), ...items.slice(maxDiversified)];
};

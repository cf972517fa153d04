import type { Hit } from '#engine';

/** Scores of the stages that a hit has passed. */
export interface StageScores {
  /** Score before boosts and the reranker. */
  readonly first_stage?: number;
  readonly boost?: number;
  /** Null: the hit was not reranked. */
  readonly rerank?: number | null;
}

/** Place of a hit in its group. */
export interface GroupPlace {
  /** Null: the row has no value, and is a group of its own. */
  readonly value: string | number | boolean | null;
  /** Position among the hits of the group, from 1. */
  readonly position: number;
  /** Further hits of the group among the candidates. */
  readonly hidden: number;
}

/** A hit on its way through the stages. */
export interface StagedHit extends Hit {
  readonly stages?: StageScores;
  readonly group?: GroupPlace;
}

/** Returns a score scaled to 0…1 over some scores. All are equal: 1. */
export const scaledOver = (scores: readonly number[]): ((score: number) => number) => {
  const [low, high] = scores.reduce(
    ([least, most], score) => [Math.min(least, score), Math.max(most, score)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return (score) => (high > low ? (score - low) / (high - low) : 1);
};

/** Orders hits best first, and keeps the order of equal scores. */
export const byScore = (hits: readonly StagedHit[]): readonly StagedHit[] =>
  hits.toSorted((left, right) => right.score - left.score);

/** Returns hits that a stage has not scored, behind those that it has. None has a higher score than the last of these. */
export const following = (scored: readonly StagedHit[], others: readonly StagedHit[]): readonly StagedHit[] => {
  let last = scored.at(-1)?.score ?? Number.POSITIVE_INFINITY;
  return others.map((hit) => {
    last = Math.min(last, hit.score);
    return { ...hit, score: last };
  });
};

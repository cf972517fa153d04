import type { MinScore } from './plan.ts';
import type { StagedHit } from './staged-hit.ts';

/** Returns the hits that reach each lowest score. A hit without the score of a side does not. */
export const reachMinScore = (
  hits: readonly StagedHit[],
  { dense, sparse, rerank }: MinScore,
): readonly StagedHit[] => {
  const reaches = (score: number | null | undefined, lowest: number | undefined): boolean =>
    lowest === undefined || (typeof score === 'number' && score >= lowest);
  return hits.filter(
    ({ scores, stages }) =>
      reaches(scores.dense, dense) && reaches(scores.sparse, sparse) && reaches(stages?.rerank, rerank),
  );
};

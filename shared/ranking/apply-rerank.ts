import type { Rerank } from './plan.ts';
import { byScore, following, scaledOver, type StagedHit } from './staged-hit.ts';

/**
 * Orders the first hits by the scores of a reranker. With a blend below 1, these and the scores of the first stage are scaled to
 * 0…1 over the hits and mixed. Other hits follow in their order.
 * @param scores One for each of the first hits, in order.
 */
export const applyRerank = (
  hits: readonly StagedHit[],
  scores: readonly number[],
  { blend }: Pick<Rerank, 'blend'>,
): readonly StagedHit[] => {
  const candidates = hits.slice(0, scores.length);
  const [first, second] = [scaledOver(candidates.map(({ score }) => score)), scaledOver(scores)];
  const reranked = candidates.map((hit, at) => {
    const rerank = scores[at] ?? 0;
    const score = blend === 1 ? rerank : (1 - blend) * first(hit.score) + blend * second(rerank);
    return { ...hit, score, stages: { first_stage: hit.score, ...hit.stages, rerank } };
  });
  const ordered = byScore(reranked);
  const others = hits
    .slice(scores.length)
    .map((hit) => ({ ...hit, stages: { first_stage: hit.score, ...hit.stages, rerank: null } }));
  return [...ordered, ...following(ordered, others)];
};

import type { Fusion, Hit } from './port.ts';

/** What one side of a search found: an id with that side's score. */
export interface Candidate {
  readonly id: string;
  readonly score: number;
}

/** A hit whose row is still to be read. */
export type RankedHit = Omit<Hit, 'row'> & { readonly id: string };

/** Order of ids as the engine sorts them: by their UTF-8 bytes. */
export const compareIds = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

/** Best first; equal scores in order of id, so that an answer never depends on chance. */
export const byScore = (left: Candidate, right: Candidate): number =>
  right.score - left.score || compareIds(left.id, right.id);

type Side = 'dense' | 'sparse';

/** The hits of a search with one side alone, from candidates that stand best first. */
export const rankHits = (side: Side, candidates: readonly Candidate[]): readonly RankedHit[] =>
  candidates.map(({ id, score }, position) => ({
    id,
    score,
    ranks: { dense: null, sparse: null, [side]: position + 1 },
    scores: { dense: null, sparse: null, [side]: score },
  }));

const normalized = (candidates: readonly Candidate[]): ((score: number | null) => number) => {
  const best = candidates[0]?.score ?? 0;
  const worst = candidates.at(-1)?.score ?? 0;
  return (score) => {
    if (score === null) return 0;
    return best === worst ? 1 : (score - worst) / (best - worst);
  };
};

type Scorer = (hit: Pick<Hit, 'ranks' | 'scores'>) => number;

const scorer = (dense: readonly Candidate[], sparse: readonly Candidate[], fusion: Fusion): Scorer => {
  const { denseWeight, k } = fusion;
  if (fusion.method === 'rrf') {
    const share = (rank: number | null): number => (rank === null ? 0 : 1 / (k + rank));
    return ({ ranks }) => denseWeight * share(ranks.dense) + (1 - denseWeight) * share(ranks.sparse);
  }
  const [denseShare, sparseShare] = [normalized(dense), normalized(sparse)];
  return ({ scores }) => denseWeight * denseShare(scores.dense) + (1 - denseWeight) * sparseShare(scores.sparse);
};

/**
 * Joins the two sides of a hybrid search, each best first, into the `topK` best hits.
 * `rrf` adds `weight / (k + rank)`, `weighted` adds `weight × score` with each side's scores stretched to 0…1; a side that
 * did not find a row gives it nothing.
 */
export const fuseHits = (
  dense: readonly Candidate[],
  sparse: readonly Candidate[],
  fusion: Fusion,
  topK: number,
): readonly RankedHit[] => {
  const found = new Map(rankHits('dense', dense).map((hit) => [hit.id, hit]));
  for (const hit of rankHits('sparse', sparse)) {
    const other = found.get(hit.id);
    found.set(hit.id, {
      ...hit,
      ranks: { dense: other?.ranks.dense ?? null, sparse: hit.ranks.sparse },
      scores: { dense: other?.scores.dense ?? null, sparse: hit.scores.sparse },
    });
  }
  const score = scorer(dense, sparse, fusion);
  return [...found.values()]
    .map((hit) => ({ ...hit, score: score(hit) }))
    .toSorted(byScore)
    .slice(0, topK);
};

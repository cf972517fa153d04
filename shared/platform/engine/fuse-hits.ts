import type { Fusion, Hit } from './port.ts';

/** What one side of a search found: an id with that side's score. */
export interface Candidate {
  readonly id: string;
  readonly score: number;
}

/** A hit whose row is still to be read. */
export type RankedHit = Omit<Hit, 'row' | 'layer'> & { readonly id: string };

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
    shares: { dense: null, sparse: null, [side]: score },
  }));

/** What one side gives to the score of a row that it found. */
type Share = (rank: number, score: number) => number;

// Scores of one side that are all equal say that the row was found, and no more.
const stretched = (candidates: readonly Candidate[]): Share => {
  const best = candidates[0]?.score ?? 0;
  const worst = candidates.at(-1)?.score ?? 0;
  return (_, score) => (best === worst ? 1 : (score - worst) / (best - worst));
};

const shareOf = (candidates: readonly Candidate[], { method, k }: Fusion, weight: number): Share => {
  if (method === 'rrf') return (rank) => weight / (k + rank);
  const share = stretched(candidates);
  return (rank, score) => weight * share(rank, score);
};

/** Behind every rank: what a side did not find. */
const unranked = Number.MAX_SAFE_INTEGER;

/** Best first. Equal scores stand as the side with more weight has them, then as the other: also where none gives any. */
const byFusion = ({ denseWeight }: Fusion): ((left: RankedHit, right: RankedHit) => number) => {
  const sides: readonly Side[] = denseWeight < 0.5 ? ['sparse', 'dense'] : ['dense', 'sparse'];
  return (left, right) =>
    right.score - left.score ||
    sides.reduce((order, side) => order || (left.ranks[side] ?? unranked) - (right.ranks[side] ?? unranked), 0);
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
  const [denseShare, sparseShare] = [
    shareOf(dense, fusion, fusion.denseWeight),
    shareOf(sparse, fusion, 1 - fusion.denseWeight),
  ];
  const found = new Map<string, RankedHit>();
  for (const [at, { id, score }] of dense.entries()) {
    const share = denseShare(at + 1, score);
    found.set(id, {
      id,
      score: share,
      ranks: { dense: at + 1, sparse: null },
      scores: { dense: score, sparse: null },
      shares: { dense: share, sparse: null },
    });
  }
  for (const [at, { id, score }] of sparse.entries()) {
    const share = sparseShare(at + 1, score);
    const other = found.get(id);
    found.set(id, {
      id,
      score: (other?.score ?? 0) + share,
      ranks: { dense: other?.ranks.dense ?? null, sparse: at + 1 },
      scores: { dense: other?.scores.dense ?? null, sparse: score },
      shares: { dense: other?.shares.dense ?? null, sparse: share },
    });
  }
  return [...found.values()].toSorted(byFusion(fusion)).slice(0, topK);
};

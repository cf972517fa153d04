import type { FoundRow, Fusion, Hit } from './port.ts';

/** A row that one side of a search found, with that side's score. */
export interface Candidate {
  readonly row: FoundRow;
  readonly score: number;
}

/** Order of ids as the engine sorts them: by their UTF-8 bytes. */
export const compareIds = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));

/** Best first; equal scores in order of id, so that an answer never depends on chance. */
export const byScore = (left: Candidate, right: Candidate): number =>
  right.score - left.score || compareIds(left.row.id, right.row.id);

interface Sides {
  readonly row: FoundRow;
  readonly dense: { readonly rank: number; readonly score: number } | null;
  readonly sparse: { readonly rank: number; readonly score: number } | null;
}

const normalized = (candidates: readonly Candidate[]): ((score: number) => number) => {
  const best = candidates[0]?.score ?? 0;
  const worst = candidates.at(-1)?.score ?? 0;
  return (score) => (best === worst ? 1 : (score - worst) / (best - worst));
};

const scorer = (dense: readonly Candidate[], sparse: readonly Candidate[], fusion: Fusion): ((sides: Sides) => number) => {
  const { denseWeight, k } = fusion;
  if (fusion.method === 'rrf') {
    const share = (rank: number | undefined): number => (rank === undefined ? 0 : 1 / (k + rank));
    return (sides) => denseWeight * share(sides.dense?.rank) + (1 - denseWeight) * share(sides.sparse?.rank);
  }
  const [denseShare, sparseShare] = [normalized(dense), normalized(sparse)];
  return ({ dense: left, sparse: right }) =>
    denseWeight * (left === null ? 0 : denseShare(left.score)) +
    (1 - denseWeight) * (right === null ? 0 : sparseShare(right.score));
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
): readonly Hit[] => {
  const found = new Map<string, Sides>();
  dense.forEach(({ row, score }, position) => found.set(row.id, { row, dense: { rank: position + 1, score }, sparse: null }));
  sparse.forEach(({ row, score }, position) => {
    const known = found.get(row.id);
    found.set(row.id, { row: known?.row ?? row, dense: known?.dense ?? null, sparse: { rank: position + 1, score } });
  });
  const score = scorer(dense, sparse, fusion);
  return [...found.values()]
    .map((sides) => ({ ...sides, score: score(sides) }))
    .sort(byScore)
    .slice(0, topK)
    .map((sides) => ({
      row: sides.row,
      score: sides.score,
      ranks: { dense: sides.dense?.rank ?? null, sparse: sides.sparse?.rank ?? null },
      scores: { dense: sides.dense?.score ?? null, sparse: sides.sparse?.score ?? null },
    }));
};

/** The hits of a search with one side alone, from candidates that stand best first. */
export const hitsOf = (side: 'dense' | 'sparse', candidates: readonly Candidate[]): readonly Hit[] =>
  candidates.map(({ row, score }, position) => ({
    row,
    score,
    ranks: { dense: side === 'dense' ? position + 1 : null, sparse: side === 'sparse' ? position + 1 : null },
    scores: { dense: side === 'dense' ? score : null, sparse: side === 'sparse' ? score : null },
  }));

import type { DistanceMetric, Fusion, Hit } from './port.ts';

/** Id of a row that one side of a search found, with that side's score. */
export interface Candidate {
  readonly id: string;
  readonly score: number;
}

/** A hit before its row is read. */
export type RankedHit = Omit<Hit, 'row' | 'layer'> & { readonly id: string };

/** Compares ids by their UTF-8 bytes, as the engine sorts them. */
export const compareIds = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

/** Orders candidates best first, and equal scores by id, so that a response never depends on chance. */
export const byScore = (left: Candidate, right: Candidate): number =>
  right.score - left.score || compareIds(left.id, right.id);

/** Rows of each side of a hybrid search that are fused, unless a search names another depth. */
export const fusedRanks = 100;

type Side = 'dense' | 'sparse';

/** Returns the hits of a search with one side alone, from candidates ordered best first. */
export const rankHits = (side: Side, candidates: readonly Candidate[]): readonly RankedHit[] =>
  candidates.map(({ id, score }, position) => ({
    id,
    score,
    ranks: { dense: null, sparse: null, [side]: position + 1 },
    scores: { dense: null, sparse: null, [side]: score },
    shares: { dense: null, sparse: null, [side]: score },
  }));

/** Contribution of one side to the score of a row that it found. */
type Share = (rank: number, score: number) => number;

/** Normalizes scores to 0…1. */
type Normalize = (score: number) => number;

/** BM25 has a natural zero: a row without any word of the query. */
const normalizeWords = (candidates: readonly Candidate[]): Normalize => {
  const best = candidates[0]?.score ?? 0;
  return (score) => (best > 0 ? Math.max(0, score) / best : 1);
};

/** Smallest difference of cosines that counts as much as the whole scale. */
const minCosines = 0.05;
/** The same for squared euclidean distances, as a share of the largest. */
const minDistances = 0.1;

/**
 * Similarities of vectors have no zero that all models share, so the scale ends at the last candidate. If the candidates
 * are close together, it is longer, because small differences mean little.
 */
const normalizeVectors = (candidates: readonly Candidate[], metric: DistanceMetric): Normalize => {
  const best = candidates[0]?.score ?? 0;
  const worst = candidates.at(-1)?.score ?? 0;
  const scale = Math.max(best - worst, metric === 'cosine' ? minCosines : minDistances * -worst);
  return (score) => (scale > 0 ? 1 - (best - score) / scale : 1);
};

const shareOf = (normalize: Normalize, { method, k }: Fusion, weight: number): Share =>
  method === 'rrf' ? (rank) => weight / (k + rank) : (_, score) => weight * normalize(score);

/** Rank of a row that a side did not find, behind every other rank. */
const unranked = Number.MAX_SAFE_INTEGER;

/** Returns the sides, that with more weight first. */
const sidesByWeight = ({ denseWeight }: Fusion): readonly Side[] =>
  denseWeight < 0.5 ? ['sparse', 'dense'] : ['dense', 'sparse'];

/** Orders hits best first. Equal scores follow the order of the side with more weight, then of the other side. */
const byFusion = (fusion: Fusion): ((left: RankedHit, right: RankedHit) => number) => {
  const sides = sidesByWeight(fusion);
  return (left, right) =>
    right.score - left.score ||
    sides.reduce((order, side) => order || (left.ranks[side] ?? unranked) - (right.ranks[side] ?? unranked), 0);
};

/**
 * Joins the two sides of a hybrid search, each best first, into the `topK` best hits. `rrf` adds `weight / (k + rank)`.
 * `weighted` adds `weight × score`, with each side's scores normalized to 0…1. A side that did not find a row adds
 * nothing.
 */
export const fuseHits = (
  dense: readonly Candidate[],
  sparse: readonly Candidate[],
  fusion: Fusion,
  metric: DistanceMetric,
  topK: number,
): readonly RankedHit[] => {
  const denseShare = shareOf(normalizeVectors(dense, metric), fusion, fusion.denseWeight);
  const sparseShare = shareOf(normalizeWords(sparse), fusion, 1 - fusion.denseWeight);
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

/**
 * Returns the hits that follow `fused`: the further candidates of each side, rank by rank, of equal ranks that of the
 * side with more weight first. Their score is 0, and they have the rank of one side, so more candidates only append.
 * @param further Candidates of each side behind the `depth` that were fused, best first.
 */
export const hitsBehind = (
  fused: readonly RankedHit[],
  further: Readonly<Record<Side, readonly Candidate[]>>,
  fusion: Fusion,
  depth: number,
): readonly RankedHit[] => {
  const sides = sidesByWeight(fusion);
  const seen = new Set(fused.map(({ id }) => id));
  const behind: RankedHit[] = [];
  for (let at = 0; at < Math.max(further.dense.length, further.sparse.length); at += 1) {
    for (const side of sides) {
      const candidate = further[side][at];
      if (candidate === undefined || seen.has(candidate.id)) continue;
      seen.add(candidate.id);
      behind.push({
        id: candidate.id,
        score: 0,
        ranks: { dense: null, sparse: null, [side]: depth + at + 1 },
        scores: { dense: null, sparse: null, [side]: candidate.score },
        shares: { dense: null, sparse: null, [side]: 0 },
      });
    }
  }
  return behind;
};

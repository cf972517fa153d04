import type { StagedHit } from './staged-hit.ts';

/** Constant of the reciprocal ranks. Source: Cormack, Clarke and Büttcher, 2009. */
const rankConstant = 60;

/** Hits of one query, best first. */
export interface QueryHits {
  readonly hits: readonly StagedHit[];
  readonly weight: number;
}

/**
 * Joins the hits of several queries, best first. `rrf` adds `weight / (60 + rank)` of each query that found a row. `max` takes
 * the highest `weight × score`. A hit keeps the ranks and scores of the query in which it has the best rank.
 */
export const fuseQueries = (queries: readonly QueryHits[], fuse: 'rrf' | 'max'): readonly StagedHit[] => {
  const joined = new Map<string, { hit: StagedHit; rank: number; score: number }>();
  for (const { hits, weight } of queries)
    for (const [at, hit] of hits.entries()) {
      const score = fuse === 'rrf' ? weight / (rankConstant + at + 1) : weight * hit.score;
      const known = joined.get(hit.row.id);
      if (known === undefined) {
        joined.set(hit.row.id, { hit, rank: at, score });
        continue;
      }
      known.score = fuse === 'rrf' ? known.score + score : Math.max(known.score, score);
      if (at < known.rank) Object.assign(known, { hit, rank: at });
    }
  return [...joined.values()]
    .toSorted((left, right) => right.score - left.score || left.rank - right.rank)
    .map(({ hit, score }) => ({ ...hit, score }));
};

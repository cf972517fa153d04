import { setImmediate as nextTurn } from 'node:timers/promises';
import { lazy } from '../../../../shared/kernel/memoize.ts';
import { byScore, type Candidate, fuseHits, hitsBehind, type RankedHit, rankHits } from '../fuse-hits.ts';
import type { FoundRow, Hit, IndexRef, QueryVector, SearchQuery } from '../port.ts';
import { outOf } from './match-rows.ts';
import type { LiveSegment, OpenVersion } from './open-versions.ts';
import { readRows, type RowPlace } from './read-segments.ts';
import { bestTexts, queryTerms, type TextTerms } from './search-texts.ts';
import type { SectionName } from './segment-format.ts';
import type { IsOut, ScoredRow } from './segment-vectors.ts';

/** Rows of each side of a hybrid search that are fused, independent of `topK`. */
const fusedRanks = 100;

/** A row that a side of a search found. */
interface Found extends Candidate, RowPlace {}

const placed = async ({ segment }: LiveSegment, rows: readonly ScoredRow[]): Promise<readonly Found[]> => {
  const { ids } = await segment.get('keys');
  return rows.map(({ row, score }) => ({ id: ids[row] ?? '', segment, row, score }));
};

/** A version with the rows that a search leaves out, for each segment. */
interface Target {
  readonly version: OpenVersion;
  readonly out: readonly IsOut[];
  readonly ref: IndexRef;
  /** Compare vectors in single precision. */
  readonly exact: boolean;
}

const searchDense = async (
  { version, out, ref, exact }: Target,
  query: QueryVector,
  limit: number,
): Promise<readonly Found[]> => {
  const [loaded, vector] = await Promise.all([
    Promise.all(version.live.map(({ segment }) => segment.get(exact ? 'vectors' : 'halves'))),
    // A model may block this thread, so the requests are started first.
    typeof query === 'function' ? nextTurn().then(query) : query,
  ]);
  const found = version.live.map((live, at) =>
    placed(live, loaded[at]?.nearest(vector, ref.metric, limit, out[at] ?? null) ?? []),
  );
  return (await Promise.all(found)).flat().toSorted(byScore).slice(0, limit);
};

const searchSparse = async (
  { version, out }: Target,
  terms: TextTerms | null,
  limit: number,
): Promise<readonly Found[]> => {
  if (terms === null) return [];
  const best = await bestTexts(version, out, terms, limit);
  const found = version.live.map((live, at) => placed(live, best[at] ?? []));
  return (await Promise.all(found)).flat().toSorted(byScore).slice(0, limit);
};

const withRows = async (
  hits: readonly RankedHit[],
  found: readonly Found[],
  query: SearchQuery,
  ref: IndexRef,
): Promise<readonly Hit[]> => {
  const { includeText = true, includeMetadata = true, includeVector = false } = query;
  const places = new Map(found.map((one) => [one.id, one]));
  const wanted = hits.flatMap(({ id }) => places.get(id) ?? []);
  const rows = await readRows(wanted, includeVector ? ref.dimensions : null);
  return hits.flatMap(({ score, ranks, scores, shares }, at): readonly Hit[] => {
    const found = rows[at];
    if (found === undefined) return [];
    const { version: _version, ...row } = found;
    const shown: FoundRow = {
      ...row,
      ...(includeText ? {} : { text: null }),
      ...(includeMetadata ? {} : { metadata: {} }),
    };
    return [{ row: shown, score, ranks, scores, shares, layer: 0 }];
  });
};

const searchHybrid = async (
  target: Target,
  terms: TextTerms | null,
  query: Extract<SearchQuery, { mode: 'hybrid' }>,
): Promise<readonly Hit[]> => {
  const { topK, fusion, vector: given } = query;
  const vector = typeof given === 'function' ? lazy(given) : given;
  const limit = Math.max(fusedRanks, topK);
  const [dense, sparse] = await Promise.all([searchDense(target, vector, limit), searchSparse(target, terms, limit)]);
  const { metric } = target.ref;
  const fused = fuseHits(dense.slice(0, fusedRanks), sparse.slice(0, fusedRanks), fusion, metric, topK);
  const further = { dense: dense.slice(fusedRanks), sparse: sparse.slice(fusedRanks) };
  const hits = fused.length < topK ? [...fused, ...hitsBehind(fused, further, fusion, fusedRanks)] : fused;
  return withRows(hits.slice(0, topK), [...dense, ...sparse], query, target.ref);
};

/** Sections that a search needs. */
const sectionsOf = (query: SearchQuery, terms: TextTerms | null): readonly SectionName[] => [
  ...(query.mode === 'sparse' ? [] : [query.exact === true ? ('vectors' as const) : ('halves' as const)]),
  'keys',
  ...(query.filter === undefined ? [] : (['tokens'] as const)),
  ...(terms === null ? [] : [terms.section]),
  ...(terms !== null && terms.required.length + terms.excluded.length > 0 ? (['positions'] as const) : []),
];

/** Searches a version. Every vector is compared, and every text with a word of the query is scored. */
export const searchSegments = async (
  version: OpenVersion,
  ref: IndexRef,
  query: SearchQuery,
): Promise<readonly Hit[]> => {
  const { filter, exact = false, topK } = query;
  const terms = query.mode === 'dense' ? null : queryTerms(ref, query.text);
  // All sections are requested at once.
  for (const { segment } of version.live) segment.load(sectionsOf(query, terms));
  const out = await Promise.all(version.live.map((live) => outOf(live, filter)));
  const target: Target = { version, out, ref, exact };
  switch (query.mode) {
    case 'dense': {
      const dense = await searchDense(target, query.vector, topK);
      return withRows(rankHits('dense', dense), dense, query, ref);
    }
    case 'sparse': {
      const sparse = await searchSparse(target, terms, topK);
      return withRows(rankHits('sparse', sparse), sparse, query, ref);
    }
    case 'hybrid':
      return searchHybrid(target, terms, query);
  }
};

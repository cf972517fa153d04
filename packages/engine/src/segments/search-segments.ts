import { setImmediate as nextTurn } from 'node:timers/promises';
import { lazy } from '../../../../shared/kernel/memoize.ts';
import { byScore, type Candidate, fusedRanks, fuseHits, hitsBehind, type RankedHit, rankHits } from '../fuse-hits.ts';
import type { FoundRow, Hit, IndexRef, QueryVector, SearchQuery } from '../port.ts';
import type { BaseTable, TableHit } from './base-table.ts';
import { outOf } from './match-rows.ts';
import type { LiveSegment, OpenVersion } from './open-versions.ts';
import { readRows, type RowPlace } from './read-segments.ts';
import { bestTexts, findTexts, queryTerms, type TextTerms } from './search-texts.ts';
import { type SectionName, tableOfKey } from './segment-format.ts';
import type { IsOut, ScoredRow } from './segment-vectors.ts';

/** A row that a side of a search found: in a segment, or in the table below. */
type Found = Candidate & (RowPlace | TableHit);

const placed = async ({ segment }: LiveSegment, rows: readonly ScoredRow[]): Promise<readonly Found[]> => {
  const { ids } = await segment.get('keys');
  return rows.map(({ row, score }) => ({ id: ids[row] ?? '', segment, row, score }));
};

/** A version with the rows that a search leaves out, for each segment, and the table below. */
interface Target {
  readonly version: OpenVersion;
  readonly table: BaseTable | null;
  readonly out: readonly IsOut[];
  readonly ref: IndexRef;
  readonly query: SearchQuery;
}

/** Returns the `limit` best of the rows that segments and the table below have found. */
const bestOf = async (parts: readonly Promise<readonly Found[]>[], limit: number): Promise<readonly Found[]> =>
  (await Promise.all(parts)).flat().toSorted(byScore).slice(0, limit);

const searchDense = async (
  { version, table, out, ref, query }: Target,
  given: QueryVector,
  limit: number,
): Promise<readonly Found[]> => {
  const section = query.exact === true ? 'vectors' : 'halves';
  const [loaded, vector] = await Promise.all([
    Promise.all(version.live.map(({ segment }) => segment.get(section))),
    // A model may block this thread, so the requests are started first.
    typeof given === 'function' ? nextTurn().then(given) : given,
  ]);
  const below = table === null ? [] : [table.nearest(query, vector, limit)];
  const found = version.live.map((live, at) =>
    placed(live, loaded[at]?.nearest(vector, ref.metric, limit, out[at] ?? null) ?? []),
  );
  return bestOf([...found, ...below], limit);
};

const searchSparse = async (
  { version, table, out, query }: Target,
  text: string,
  terms: TextTerms | null,
  limit: number,
): Promise<readonly Found[]> => {
  if (terms === null) return [];
  const hasBoth = table !== null && version.live.length > 0;
  const [texts, beside] = await Promise.all([findTexts(version, terms), hasBoth ? table.statistics(text) : null]);
  const below = table === null ? [] : [table.bestTexts(query, text, texts.statistics, limit)];
  const best = await bestTexts(texts, out, limit, terms.section === 'terms' ? beside : null);
  return bestOf([...version.live.map((live, at) => placed(live, best[at] ?? [])), ...below], limit);
};

/** Returns the position in the layers of an index of the one that wrote a row. */
const layerOf = ({ version: { manifest }, ref }: Target, found: Found | undefined): number => {
  const writer =
    found !== undefined && 'segment' in found ? tableOfKey(found.segment.info.object) : (manifest.base?.owner ?? null);
  return Math.max(
    0,
    ref.layers.findIndex(({ table }) => table === writer),
  );
};

const withRows = async (
  target: Target,
  hits: readonly RankedHit[],
  found: readonly Found[],
): Promise<readonly Hit[]> => {
  const { table, ref, query } = target;
  const { includeText = true, includeMetadata = true, includeVector = false } = query;
  const all = new Map(found.map((one) => [one.id, one]));
  const wanted = hits.flatMap(({ id }) => all.get(id) ?? []);
  const below = wanted.filter((one) => 'rowId' in one);
  const unread = below.filter(({ row }) => row === null);
  const [read, others] = await Promise.all([
    readRows(
      wanted.filter((one) => 'segment' in one),
      includeVector ? ref.dimensions : null,
    ),
    unread.length === 0 ? [] : (table?.rowsOf(query, unread) ?? []),
  ]);
  const rows = new Map([...read, ...others, ...below.flatMap(({ row }) => row ?? [])].map((row) => [row.id, row]));
  return hits.flatMap(({ id, score, ranks, scores, shares }): readonly Hit[] => {
    const stored = rows.get(id);
    if (stored === undefined) return [];
    const { version: _version, ...row } = stored;
    const shown: FoundRow = {
      ...row,
      ...(includeText ? {} : { text: null }),
      ...(includeMetadata ? {} : { metadata: {} }),
    };
    return [{ row: shown, score, ranks, scores, shares, layer: layerOf(target, all.get(id)) }];
  });
};

/**
 * Fuses the best rows of each side. Further rows are searched apart, because a search of a table for more rows may rank the
 * first ones differently: it compares more candidates of a vector index, and scores more texts again.
 */
const searchHybrid = async (
  target: Target,
  terms: TextTerms | null,
  query: Extract<SearchQuery, { mode: 'hybrid' }>,
): Promise<readonly Hit[]> => {
  const { topK, fusion, vector: given, depth } = query;
  const ranks = depth ?? fusedRanks;
  const vector = typeof given === 'function' ? lazy(given) : given;
  const search = (limit: number) =>
    Promise.all([searchDense(target, vector, limit), searchSparse(target, query.text, terms, limit)]);
  const [dense, sparse] = await search(ranks);
  const fused = fuseHits(
    dense,
    sparse,
    fusion,
    target.ref.metric,
    depth === undefined ? topK : Number.POSITIVE_INFINITY,
  );
  const hasMore = Math.max(dense.length, sparse.length) === ranks;
  if (fused.length >= topK || !hasMore) return withRows(target, fused, [...dense, ...sparse]);
  const [moreDense, moreSparse] = await search(topK);
  const known = [dense, sparse].map((side) => new Set(side.map(({ id }) => id)));
  const further = {
    dense: moreDense.filter(({ id }) => known[0]?.has(id) !== true),
    sparse: moreSparse.filter(({ id }) => known[1]?.has(id) !== true),
  };
  const hits = [...fused, ...hitsBehind(fused, further, fusion, ranks)].slice(0, topK);
  return withRows(target, hits, [...moreDense, ...moreSparse, ...dense, ...sparse]);
};

/** Sections that a search needs. */
const sectionsOf = (query: SearchQuery, terms: TextTerms | null): readonly SectionName[] => [
  ...(query.mode === 'sparse' ? [] : [query.exact === true ? ('vectors' as const) : ('halves' as const)]),
  'keys',
  'removed',
  ...(query.filter === undefined ? [] : (['tokens'] as const)),
  ...(terms === null ? [] : [terms.section]),
  ...(terms !== null && terms.required.length + terms.excluded.length > 0 ? (['positions'] as const) : []),
];

/**
 * Searches a version. Every vector of its segments is compared, and every text with a word of the query is scored.
 * @param open Opens the table below the segments. Null: there is none.
 */
export const searchSegments = async (
  version: OpenVersion,
  ref: IndexRef,
  query: SearchQuery,
  open: () => Promise<BaseTable | null>,
): Promise<readonly Hit[]> => {
  const { filter, topK } = query;
  const terms = query.mode === 'dense' ? null : queryTerms(ref, query.text);
  // All sections are requested at once.
  for (const { segment } of version.live) segment.load(sectionsOf(query, terms));
  const [table, out] = await Promise.all([open(), Promise.all(version.live.map((live) => outOf(live, filter)))]);
  const target: Target = { version, table, out, ref, query };
  switch (query.mode) {
    case 'dense': {
      const dense = await searchDense(target, query.vector, topK);
      return withRows(target, rankHits('dense', dense), dense);
    }
    case 'sparse': {
      const sparse = await searchSparse(target, query.text, terms, topK);
      return withRows(target, rankHits('sparse', sparse), sparse);
    }
    case 'hybrid':
      return searchHybrid(target, terms, query);
  }
};

import { setImmediate } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import { lazy } from '../../../../shared/kernel/memoize.ts';
import type { FoundRow, Hit, IndexRef, QueryVector, SearchQuery } from '../port.ts';
import { rulesOf } from '../text-language.ts';
import { byScore, fuseHits, hitsBehind, rankHits, type RankedHit } from '../fuse-hits.ts';
import { allOf, compileFilter } from './compile-filter.ts';
import type { CachedRows } from './row-cache.ts';
import { type Condition, conditionOn } from './narrow-filter.ts';
import { nearestRows, planProbing } from './vector-query.ts';
import { collect, maskedAmong, type View } from './read-layers.ts';
import { rescored, scoredTexts } from './bm25-score.ts';
import { bestTexts, type Found, type VectorCacheTable, rowsOf, type Target } from './search-table.ts';
import { rowColumns, textColumns } from './table-schema.ts';
import { type Bm25Query, type Bm25Queries, bm25Queries } from './bm25-query.ts';

/** Rows of each side of a hybrid search that are fused, independent of `topK`. */
const fusedRanks = 100;
/** Rows with the score of the last hit that are sorted by id. Among more of them, the choice is arbitrary. */
const maxTies = 2_000;

const noLimit = Number.POSITIVE_INFINITY;

/**
 * Returns the condition on rows. It is not compiled if the vector cache has the matching rows, because the engine is
 * then rarely used.
 */
const whereOf = async (
  { filter, narrowed }: Condition,
  isKnown: boolean,
): Promise<Pick<Target, 'where' | 'maxMatches'>> =>
  isKnown ? { where: compileFilter(filter), maxMatches: noLimit } : narrowed();

/** A candidate with the layer of its row. */
type Placed = Found & { readonly depth: number };

// A row that scores below the last hit proves that all equal rows are there. The smallest ids come first.
export const settled = (kept: readonly Found[], topK: number): boolean => {
  const [last, lowest] = [kept[topK - 1], kept.at(-1)];
  return last !== undefined && lowest !== undefined && (lowest.score < last.score || kept.length > topK + maxTies);
};

const bestOf = async (
  targets: readonly Target[],
  topK: number,
  fetch: (target: Target, depth: number, limit: number) => Promise<readonly Found[]>,
  least: (depth: number) => number = () => 0,
): Promise<readonly Placed[]> => {
  const view = targets.map(({ table }) => table);
  const layers = targets.map(async (target, depth) => {
    const best = await collect({
      first: Math.max(least(depth), topK + 1),
      fetch: (limit) => fetch(target, depth, limit),
      keep: async (found) => {
        const masked = await maskedAmong(view, depth, depth === 0 ? [] : found.map(({ id }) => id));
        return found.filter(({ id }) => !masked.has(id)).toSorted(byScore);
      },
      enough: (kept) => settled(kept, topK),
    });
    return best.map((found) => ({ ...found, depth }));
  });
  return (await Promise.all(layers)).flat().toSorted(byScore).slice(0, topK);
};

const searchDense = async (
  targets: readonly Target[],
  query: QueryVector,
  topK: number,
): Promise<readonly Placed[]> => {
  // For cached rows the engine is rarely used.
  const planning = Promise.all(
    targets.map(async (target) => (target.cachedVectors === null ? planProbing(target) : undefined)),
  );
  // A model may block this thread, so the engine's queries are started first.
  const making = typeof query === 'function' ? setImmediate().then(query) : query;
  const [probings, vector] = await Promise.all([planning, making]);
  return bestOf(targets, topK, (target, depth, limit) => nearestRows(target, vector, probings[depth], limit));
};

export const bestPortion = async (
  target: Target,
  { query, scoring, where, indexedOnly, minRows: least }: Bm25Query,
  limit: number,
): Promise<readonly Found[]> => {
  if (query === null) return scoredTexts(scoring, target);
  const portion = where === undefined ? target : { ...target, where: allOf(target.where, where) };
  const found = await bestTexts(portion, query, Math.max(limit, least), indexedOnly);
  return scoring === null ? found : rescored(scoring, target, found);
};

const searchSparse = (targets: readonly Target[], texts: Bm25Queries, topK: number): Promise<readonly Placed[]> => {
  const fetch = async (target: Target, depth: number, limit: number): Promise<readonly Found[]> => {
    const found = await Promise.all((texts[depth] ?? []).map((search) => bestPortion(target, search, limit)));
    // Below the last row of one segment, others of it may be missing.
    return found.length < 2 ? found.flat() : found.flat().toSorted(byScore).slice(0, limit);
  };
  return bestOf(targets, topK, fetch, (depth) => {
    const [search, ...others] = texts[depth] ?? [];
    return others.length === 0 ? (search?.minRows ?? 0) : 0;
  });
};

const withRows = async (
  targets: readonly Target[],
  hits: readonly RankedHit[],
  places: readonly Placed[],
): Promise<readonly Hit[]> => {
  const found = new Map<string, { readonly row: FoundRow | null; readonly layer: number }>();
  for (const { id, row, depth } of places) if (!found.get(id)?.row) found.set(id, { row, layer: depth });
  const missing = new Set(hits.map(({ id }) => id).filter((id) => !found.get(id)?.row));
  const layers = targets.map(async (target, layer) => {
    // Both sides of a hybrid search may have found a row.
    const wanted = new Map(
      places.filter(({ id, depth }) => depth === layer && missing.has(id)).map((one) => [one.id, one]),
    );
    for (const row of await rowsOf(target, [...wanted.values()])) found.set(row.id, { row, layer });
  });
  await Promise.all(layers);
  return hits.flatMap(({ id, ...hit }) => {
    const { row, layer } = found.get(id) ?? { row: null, layer: 0 };
    return row === null ? [] : [{ row, ...hit, layer }];
  });
};

type HybridQuery = Extract<SearchQuery, { readonly mode: 'hybrid' }>;

/**
 * Fuses the best rows of each side. Further rows are searched apart, because a search for more rows may rank the first
 * ones differently: it compares more candidates of a vector index, and scores more texts again.
 */
const searchHybrid = async (
  targets: readonly Target[],
  texts: Bm25Queries,
  { vector: query, topK, fusion }: HybridQuery,
  { metric }: IndexRef,
): Promise<readonly Hit[]> => {
  const vector = typeof query === 'function' ? lazy(query) : query;
  const [dense, sparse] = await Promise.all([
    searchDense(targets, vector, fusedRanks),
    searchSparse(targets, texts, fusedRanks),
  ]);
  const fused = fuseHits(dense, sparse, fusion, metric, topK);
  if (fused.length >= topK) return withRows(targets, fused, [...dense, ...sparse]);
  const behind = async (
    first: readonly Placed[],
    search: (limit: number) => Promise<readonly Placed[]>,
  ): Promise<readonly Placed[]> => {
    if (first.length < fusedRanks) return [];
    const known = new Set(first.map(({ id }) => id));
    return (await search(topK)).filter(({ id }) => !known.has(id));
  };
  const [furtherDense, furtherSparse] = await Promise.all([
    behind(dense, (limit) => searchDense(targets, vector, limit)),
    behind(sparse, (limit) => searchSparse(targets, texts, limit)),
  ]);
  const further = hitsBehind(fused, { dense: furtherDense, sparse: furtherSparse }, fusion, fusedRanks);
  const places = [...dense, ...sparse, ...furtherDense, ...furtherSparse];
  return withRows(targets, [...fused, ...further].slice(0, topK), places);
};

/** Caches of the layers of a view. */
export interface LayerCaches {
  /** Returns the vector cache of a layer. Null if it is not loaded. */
  readonly vectorCache: (table: Table, depth: number) => Promise<VectorCacheTable | null>;
  /** Returns the row cache of a layer. Null if there is none. */
  readonly rowCache: (depth: number, columns: readonly string[]) => CachedRows | null;
}

/** Returns the columns of a row that a search returns. */
const columnsOf = ({ includeText = true, includeMetadata = true, includeVector = false }: SearchQuery) => {
  const unwanted = new Set<string>([...(includeText ? [] : textColumns), ...(includeMetadata ? [] : ['meta'])]);
  const wanted = rowColumns.filter((name) => !unwanted.has(name));
  return includeVector ? [...wanted, 'vector'] : wanted;
};

export const targetsOf = (
  ref: IndexRef,
  view: View,
  query: SearchQuery,
  memory: LayerCaches,
): Promise<readonly Target[]> => {
  const { metric } = ref;
  const { filter, exact = false, includeVector = false } = query;
  const fromMemory = query.mode !== 'sparse' && !exact;
  const columns = columnsOf(query);
  return Promise.all(
    view.map(async (table, depth) => {
      // The vector cache may have to follow the table, which takes longer.
      const all = fromMemory ? await memory.vectorCache(table, depth) : null;
      const condition = filter === undefined ? null : conditionOn(table, filter);
      const cachedVectors = condition === null || all === null ? all : await all.matching(condition, table);
      const { where, maxMatches } =
        condition === null
          ? { where: undefined, maxMatches: noLimit }
          : await whereOf(condition, query.mode === 'dense' && cachedVectors !== null);
      // Vectors take more memory than repeated reads would save.
      const cachedRows = includeVector ? null : memory.rowCache(depth, columns);
      return { table, cachedVectors, where, maxMatches, shape: ref, metric, exact, columns, cachedRows };
    }),
  );
};

/** Searches all layers of a view at once. Each row is returned in the state of its nearest layer. */
export const searchView = async (
  view: View,
  ref: IndexRef,
  query: SearchQuery,
  memory: LayerCaches,
): Promise<readonly Hit[]> => {
  const { topK } = query;
  const [targets, texts] = await Promise.all([
    targetsOf(ref, view, query, memory),
    query.mode === 'dense' ? [] : bm25Queries(view, rulesOf(ref), query.text),
  ]);
  switch (query.mode) {
    case 'dense': {
      const dense = await searchDense(targets, query.vector, topK);
      return withRows(targets, rankHits('dense', dense), dense);
    }
    case 'sparse': {
      const sparse = await searchSparse(targets, texts, topK);
      return withRows(targets, rankHits('sparse', sparse), sparse);
    }
    case 'hybrid':
      return searchHybrid(targets, texts, query, ref);
  }
};

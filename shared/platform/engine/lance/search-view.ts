import type { FullTextQuery, Table } from '@lancedb/lancedb';
import type { FoundRow, Hit, IndexRef, SearchQuery } from '../port.ts';
import { byScore, fuseHits, rankHits, type RankedHit } from '../fuse-hits.ts';
import { compileFilter } from './compile-filter.ts';
import { collect, maskedAmong, type View } from './read-layers.ts';
import { bestTexts, type Found, nearestRows, planProbing, rowsAt, type Scope } from './search-table.ts';
import { searchableText } from './text-query.ts';

/** Rows that each side of a hybrid search contributes at least. */
const hybridCandidates = 100;
/** Rows of one score beyond the last hit that are sorted by id; among more of them, chance picks. */
const maxTies = 2_000;

/** A candidate with the layer that holds its row. */
type Placed = Found & { readonly depth: number };

type TextQueries = (view: View, text: string) => Promise<readonly FullTextQuery[]>;

// The row behind the last hit tells whether equal scores were cut apart, in which case the smallest ids have to be found.
const settled = (kept: readonly Found[], topK: number): boolean => {
  const [last, next] = [kept[topK - 1], kept[topK]];
  return last !== undefined && next !== undefined && (next.score < last.score || kept.length > topK + maxTies);
};

const bestOfLayer = async (
  view: View,
  depth: number,
  topK: number,
  fetch: (limit: number) => Promise<readonly Found[]>,
): Promise<readonly Found[]> =>
  collect({
    first: topK + 1,
    fetch,
    keep: async (found) => {
      const masked = await maskedAmong(view, depth, depth === 0 ? [] : found.map(({ id }) => id));
      return found.filter(({ id }) => !masked.has(id)).sort(byScore);
    },
    enough: (kept) => settled(kept, topK),
  });

const bestOfView = async (
  view: View,
  topK: number,
  prepare: (table: Table, depth: number) => Promise<(limit: number) => Promise<readonly Found[]>>,
): Promise<readonly Placed[]> => {
  const layers = view.map(async (table, depth) => {
    const best = await bestOfLayer(view, depth, topK, await prepare(table, depth));
    return best.map((found) => ({ ...found, depth }));
  });
  return (await Promise.all(layers)).flat().sort(byScore).slice(0, topK);
};

const searchDense = (view: View, scope: Scope, vector: Float32Array, topK: number): Promise<readonly Placed[]> =>
  bestOfView(view, topK, async (table) => {
    const probing = await planProbing(table, scope);
    return (limit) => nearestRows(table, scope, vector, probing, limit);
  });

const searchSparse = async (
  view: View,
  scope: Scope,
  userText: string,
  topK: number,
  textQueries: TextQueries,
): Promise<readonly Placed[]> => {
  const text = searchableText(userText);
  if (text === null) return [];
  const queries = await textQueries(view, text);
  return bestOfView(view, topK, async (table, depth) => {
    const query = queries[depth];
    return async (limit) => (query === undefined ? [] : bestTexts(table, scope, query, limit));
  });
};

const withRows = async (
  view: View,
  { dimensions }: IndexRef,
  hits: readonly RankedHit[],
  places: readonly Placed[],
  includeVector: boolean,
): Promise<readonly Hit[]> => {
  const wanted = new Set(hits.map(({ id }) => id));
  const layers = view.map((table, depth) => {
    // Both sides of a hybrid search may have found a row.
    const rowIds = new Set(places.filter((place) => place.depth === depth && wanted.has(place.id)).map(({ rowId }) => rowId));
    return rowsAt(table, [...rowIds], dimensions, includeVector);
  });
  const rows = new Map<string, FoundRow>((await Promise.all(layers)).flat().map((row) => [row.id, row]));
  return hits.flatMap(({ id, ...hit }) => {
    const row = rows.get(id);
    return row === undefined ? [] : [{ row, ...hit }];
  });
};

/** Searches all layers of a view at once; each row appears as its nearest layer has it. */
export const searchView = async (
  view: View,
  ref: IndexRef,
  query: SearchQuery,
  textQueries: TextQueries,
): Promise<readonly Hit[]> => {
  const { topK, includeVector = false } = query;
  const scope: Scope = {
    dimensions: ref.dimensions,
    metric: ref.metric,
    where: query.filter === undefined ? undefined : compileFilter(query.filter),
    exact: query.exact ?? false,
  };
  switch (query.mode) {
    case 'dense': {
      const dense = await searchDense(view, scope, query.vector, topK);
      return withRows(view, ref, rankHits('dense', dense), dense, includeVector);
    }
    case 'sparse': {
      const sparse = await searchSparse(view, scope, query.text, topK, textQueries);
      return withRows(view, ref, rankHits('sparse', sparse), sparse, includeVector);
    }
    case 'hybrid': {
      const each = Math.max(hybridCandidates, topK);
      const [dense, sparse] = await Promise.all([
        searchDense(view, scope, query.vector, each),
        searchSparse(view, scope, query.text, each, textQueries),
      ]);
      const hits = fuseHits(dense, sparse, query.fusion, topK);
      return withRows(view, ref, hits, [...dense, ...sparse], includeVector);
    }
  }
};

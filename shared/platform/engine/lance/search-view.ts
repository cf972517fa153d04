import type { FullTextQuery, Table } from '@lancedb/lancedb';
import type { Hit, IndexRef, SearchQuery } from '../port.ts';
import { byScore, fuseHits, hitsOf, type Candidate } from '../fuse-hits.ts';
import { compileFilter } from './compile-filter.ts';
import { collect, maskedAmong, type View } from './read-layers.ts';
import { bestTexts, nearestRows, planProbing, type Scope } from './search-table.ts';
import { searchableText } from './text-query.ts';

/** Rows that each side of a hybrid search contributes at least. */
const hybridCandidates = 100;
/** Rows of one score beyond the last hit that are sorted by id; among more of them, chance picks. */
const maxTies = 2_000;

type TextQueries = (view: View, text: string) => Promise<readonly FullTextQuery[]>;

// The row behind the last hit tells whether equal scores were cut apart, in which case the smallest ids have to be found.
const settled = (kept: readonly Candidate[], topK: number): boolean => {
  const [last, next] = [kept[topK - 1], kept[topK]];
  return last !== undefined && next !== undefined && (next.score < last.score || kept.length > topK + maxTies);
};

const bestOfLayer = async (
  view: View,
  depth: number,
  topK: number,
  fetch: (limit: number) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> =>
  collect({
    first: topK + 1,
    fetch,
    keep: async (found) => {
      const masked = await maskedAmong(view, depth, depth === 0 ? [] : found.map(({ row }) => row.id));
      return found.filter(({ row }) => !masked.has(row.id)).sort(byScore);
    },
    enough: (kept) => settled(kept, topK),
  });

const bestOfView = async (
  view: View,
  topK: number,
  prepare: (table: Table, depth: number) => Promise<(limit: number) => Promise<readonly Candidate[]>>,
): Promise<readonly Candidate[]> => {
  const layers = await Promise.all(
    view.map(async (table, depth) => bestOfLayer(view, depth, topK, await prepare(table, depth))),
  );
  return layers.flat().sort(byScore).slice(0, topK);
};

const searchDense = (view: View, scope: Scope, vector: Float32Array, topK: number): Promise<readonly Candidate[]> =>
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
): Promise<readonly Candidate[]> => {
  const text = searchableText(userText);
  if (text === null) return [];
  const queries = await textQueries(view, text);
  return bestOfView(view, topK, async (table, depth) => {
    const query = queries[depth];
    return async (limit) => (query === undefined ? [] : bestTexts(table, scope, query, limit));
  });
};

/** Searches all layers of a view at once; each row appears as its nearest layer has it. */
export const searchView = async (
  view: View,
  ref: IndexRef,
  query: SearchQuery,
  textQueries: TextQueries,
): Promise<readonly Hit[]> => {
  const scope: Scope = {
    dimensions: ref.dimensions,
    metric: ref.metric,
    where: query.filter === undefined ? undefined : compileFilter(query.filter),
    exact: query.exact ?? false,
    includeVector: query.includeVector ?? false,
  };
  switch (query.mode) {
    case 'dense':
      return hitsOf('dense', await searchDense(view, scope, query.vector, query.topK));
    case 'sparse':
      return hitsOf('sparse', await searchSparse(view, scope, query.text, query.topK, textQueries));
    case 'hybrid': {
      const each = Math.max(hybridCandidates, query.topK);
      const [dense, sparse] = await Promise.all([
        searchDense(view, scope, query.vector, each),
        searchSparse(view, scope, query.text, each, textQueries),
      ]);
      return fuseHits(dense, sparse, query.fusion, query.topK);
    }
  }
};

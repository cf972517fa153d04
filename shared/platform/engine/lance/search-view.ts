import type { FullTextQuery } from '@lancedb/lancedb';
import type { FoundRow, Hit, IndexRef, QueryVector, SearchQuery } from '../port.ts';
import { byScore, fuseHits, rankHits, type RankedHit } from '../fuse-hits.ts';
import { narrowFilter } from './narrow-filter.ts';
import { collect, maskedAmong, type View } from './read-layers.ts';
import { bestTexts, type Found, nearestRows, planProbing, rowsAt, type Target } from './search-table.ts';
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

const bestOf = async (
  targets: readonly Target[],
  topK: number,
  fetch: (target: Target, depth: number, limit: number) => Promise<readonly Found[]>,
): Promise<readonly Placed[]> => {
  const view = targets.map(({ table }) => table);
  const layers = targets.map(async (target, depth) => {
    const best = await collect({
      first: topK + 1,
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
  const probings = await Promise.all(targets.map(planProbing));
  const vector = typeof query === 'function' ? await query() : query;
  return bestOf(targets, topK, (target, depth, limit) => nearestRows(target, vector, probings[depth] ?? null, limit));
};

const searchSparse = async (
  targets: readonly Target[],
  userText: string,
  topK: number,
  textQueries: TextQueries,
): Promise<readonly Placed[]> => {
  const text = searchableText(userText);
  if (text === null) return [];
  const queries = await textQueries(
    targets.map(({ table }) => table),
    text,
  );
  return bestOf(targets, topK, async (target, depth, limit) => {
    const query = queries[depth];
    return query === undefined ? [] : bestTexts(target, query, limit);
  });
};

const withRows = async (
  targets: readonly Target[],
  hits: readonly RankedHit[],
  places: readonly Placed[],
): Promise<readonly Hit[]> => {
  const rows = new Map<string, FoundRow>();
  for (const { id, row } of places) if (row !== null) rows.set(id, row);
  const missing = new Set(hits.map(({ id }) => id).filter((id) => !rows.has(id)));
  const layers = targets.map((target, depth) => {
    const wanted = places.filter((place) => place.depth === depth && missing.has(place.id));
    // Both sides of a hybrid search may have found a row.
    return rowsAt(target, [...new Set(wanted.map(({ rowId }) => rowId))]);
  });
  for (const row of (await Promise.all(layers)).flat()) rows.set(row.id, row);
  return hits.flatMap(({ id, ...hit }) => {
    const row = rows.get(id);
    return row === undefined ? [] : [{ row, ...hit }];
  });
};

const targetsOf = ({ dimensions, metric }: IndexRef, view: View, query: SearchQuery): Promise<readonly Target[]> =>
  Promise.all(
    view.map(async (table) => ({
      table,
      where: query.filter === undefined ? undefined : await narrowFilter(table, query.filter),
      dimensions,
      metric,
      exact: query.exact ?? false,
      includeVector: query.includeVector ?? false,
    })),
  );

/** Searches all layers of a view at once; each row appears as its nearest layer has it. */
export const searchView = async (
  view: View,
  ref: IndexRef,
  query: SearchQuery,
  textQueries: TextQueries,
): Promise<readonly Hit[]> => {
  const targets = await targetsOf(ref, view, query);
  const { topK } = query;
  switch (query.mode) {
    case 'dense': {
      const dense = await searchDense(targets, query.vector, topK);
      return withRows(targets, rankHits('dense', dense), dense);
    }
    case 'sparse': {
      const sparse = await searchSparse(targets, query.text, topK, textQueries);
      return withRows(targets, rankHits('sparse', sparse), sparse);
    }
    case 'hybrid': {
      const each = Math.max(hybridCandidates, topK);
      const [dense, sparse] = await Promise.all([
        searchDense(targets, query.vector, each),
        searchSparse(targets, query.text, each, textQueries),
      ]);
      return withRows(targets, fuseHits(dense, sparse, query.fusion, topK), [...dense, ...sparse]);
    }
  }
};

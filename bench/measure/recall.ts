import { filterParts, trueNeighbours } from '../data/truth.ts';
import type { VectorSet } from '../data/vectors.ts';
import type { DistanceMetric } from '#engine';
import type { SearchMore, StrataIndex } from '../peers/strata.ts';
import { topK } from './compare.ts';
import { recallOf } from './searches.ts';

/** Recall of the service with default settings. */
export interface RecallRow {
  readonly rows: number;
  readonly dimensions: number;
  readonly metric: DistanceMetric;
  readonly all: number;
  /** Recall with a filter that keeps one row in a hundred. */
  readonly filtered: number;
  /** Recall with `exact`, without and with the filter. */
  readonly exact: number;
}

/** Number of exact searches. They read every row, so fewer of them are measured. */
const exactQueries = 20;

/** Measures the recall of a loaded index over HTTP, compared with an exhaustive search. */
export const measureRecall = async (index: StrataIndex, set: VectorSet, metric: DistanceMetric): Promise<RecallRow> => {
  const { base, queries } = set;
  const shares: number[] = [];
  const exact: number[] = [];
  for (const filtered of [false, true]) {
    const truth = await trueNeighbours(set, metric, topK, filtered);
    const found: (readonly number[])[] = [];
    const foundExactly: (readonly number[])[] = [];
    const narrowed = (at: number): SearchMore => (filtered ? { filter: { part: at % filterParts } } : {});
    // Warms up: the first search of an index or a filter may take another path than later ones.
    for (let at = 0; at < queries.count; at += 1) await index.search(queries.at(at), topK, narrowed(at));
    for (let at = 0; at < queries.count; at += 1) {
      const more = narrowed(at);
      found.push(await index.search(queries.at(at), topK, more));
      if (at < exactQueries) foundExactly.push(await index.search(queries.at(at), topK, { ...more, exact: true }));
    }
    shares.push(recallOf(truth, found));
    exact.push(recallOf(truth.slice(0, exactQueries), foundExactly));
  }
  const [all = 0, filtered = 0] = shares;
  return { rows: base.count, dimensions: base.dimensions, metric, all, filtered, exact: Math.min(...exact) };
};

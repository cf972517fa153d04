import { termScore } from '../bm25.ts';
import type { Found, Target } from './search-table.ts';
import { idsAmong, textsAt } from './search-table.ts';
import type { TextAnalysis } from './text-analysis.ts';
import type { PlacedTerms } from './term-statistics.ts';
import { termsOf, type TextTerms } from './text-terms.ts';

/** Minimum of rows of each layer that are scored again, so that rows with too low a first score are among them. */
export const minRescored = 50;

/** Data for scoring a text by BM25 over all layers. */
export interface Scoring {
  readonly analysis: TextAnalysis;
  /** Terms as the text index stores them, with their weight. */
  readonly weights: ReadonlyMap<string, number>;
  /** Mean number of terms of a text, over all layers. */
  readonly meanLength: number;
  /** All texts of the layer by row id, if they are known; else null. */
  readonly texts: ReadonlyMap<string, PlacedTerms> | null;
}

const noTerms: TextTerms = { length: 0, times: new Map() };

const textsOf = async (
  { analysis, texts }: Scoring,
  target: Target,
  found: readonly Found[],
): Promise<ReadonlyMap<string, TextTerms>> => {
  if (texts !== null) return texts;
  const known = found.flatMap(({ id, searched }) => (searched ? [[id, searched] as const] : []));
  const rowIds = found.flatMap(({ rowId, searched }) => (searched ? [] : [rowId]));
  const all = [...known, ...(await textsAt(target, rowIds))];
  return new Map(all.map(([id, text]) => [id, termsOf(analysis, text)]));
};

const scoreOf = ({ weights, meanLength }: Scoring, { length, times }: TextTerms): number => {
  let score = 0;
  for (const [term, weight] of weights) score += termScore(weight, times.get(term) ?? 0, length, meanLength);
  return score;
};

/**
 * Scores again, by BM25 over all layers, the rows that one layer found. The engine takes the mean text length from each
 * table alone, so a long text in a branch of few rows would count as one of usual length.
 */
export const rescored = async (
  scoring: Scoring,
  target: Target,
  found: readonly Found[],
): Promise<readonly Found[]> => {
  const texts = await textsOf(scoring, target, found);
  return found
    .map((hit) => ({ ...hit, score: scoreOf(scoring, texts.get(hit.id) ?? noTerms) }))
    .filter(({ score }) => score > 0);
};

/** Returns the known texts of a layer that contain a word of the search and satisfy its filter, scored by BM25. */
export const scoredTexts = async (scoring: Scoring, target: Target): Promise<readonly Found[]> => {
  const known = Array.from(scoring.texts ?? [], ([id, { rowId }]) => ({
    id,
    rowId,
    isMoved: false,
    row: null,
    searched: null,
    score: 0,
  }));
  const found = await rescored(scoring, target, known);
  if (target.where === undefined || found.length === 0) return found;
  const matching = new Set(await idsAmong(target, found));
  return found.filter(({ id }) => matching.has(id));
};

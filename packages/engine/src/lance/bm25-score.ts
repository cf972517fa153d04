import { termScore } from '../bm25.ts';
import type { TableHit } from '../segments/base-table.ts';
import { type Target, textsAt } from './search-table.ts';
import type { TextAnalysis } from './text-analysis.ts';
import { termsOfAll, type TextTerms } from './text-terms.ts';

/** Data for scoring a text by BM25 over all texts of an index. */
export interface Scoring {
  readonly analysis: TextAnalysis;
  /** Terms as the text index stores them, with their weight. */
  readonly weights: ReadonlyMap<string, number>;
  /** Mean number of terms of a text. */
  readonly meanLength: number;
}

/** Returns the score of a text, with as many digits as one in a segment. */
const scoreOf = ({ weights, meanLength }: Scoring, terms: TextTerms | undefined): number => {
  let score = 0;
  for (const [term, weight] of weights)
    score += termScore(weight, terms?.times.get(term) ?? 0, terms?.length ?? 0, meanLength);
  return Math.fround(score);
};

/** Scores rows of a table again, by BM25 over all texts of the index. */
export const rescored = async (
  scoring: Scoring,
  target: Target,
  found: readonly TableHit[],
): Promise<readonly TableHit[]> => {
  const unread = await textsAt(
    target,
    found.flatMap(({ rowId, searched }) => (searched === null ? [rowId] : [])),
  );
  const texts = found.map(({ id, searched }) => searched ?? unread.get(id) ?? '');
  const terms = termsOfAll(scoring.analysis, texts);
  return found.map((hit, at) => ({ ...hit, score: scoreOf(scoring, terms[at]) })).filter(({ score }) => score > 0);
};

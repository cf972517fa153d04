import type { FullTextQuery, Table } from '@lancedb/lancedb';
import { inverseFrequency, meanLengthOf, sumOf, type TextStatistics } from '../bm25.ts';
import { parseText, type TextRequest } from '../parse-text.ts';
import type { TableBase } from '../segments/base-table.ts';
import type { TextRules } from '../text-language.ts';
import { tokenize } from '../tokenizer.ts';
import type { Scoring } from './bm25-score.ts';
import { commonColumn } from './table-schema.ts';
import { distinctTerms, tableStatistics, type Term } from './term-statistics.ts';
import { analysisOf, commonWordsOf, type TextAnalysis, type WordAnalysis } from './text-analysis.ts';

/** Words up to which each is boosted to its weight. The time grows with each. */
const maxBoosted = 32;
/** Minimum of rows that are fetched if their first scores are inexact, so that those with too low a score are among them. */
const minRescored = 50;
/** Relative difference up to which the mean text length of the table counts as that of all texts. */
const lengthTolerance = 0.1;

/** BM25 query of a table. */
export interface Bm25Query {
  readonly query: FullTextQuery;
  /** Minimum of rows to fetch. */
  readonly minRows: number;
  /** Data for scoring the rows again. Null: their first scores are right. */
  readonly scoring: Scoring | null;
}

/**
 * Returns whether each term stays the same if its word is analysed alone: without its neighbours, a dictionary may
 * segment it otherwise.
 */
const areSameAlone = (analysis: TextAnalysis, terms: readonly Term[]): boolean => {
  const alone = tokenize(terms.map(({ word }) => word).join(' '), analysis);
  return alone.length === terms.length && terms.every(({ form }, at) => form === alone[at]?.text);
};

// The engine has no clause that only restricts, so the phrase's own score is subtracted again.
const requirePhrase = async (phrase: string): Promise<FullTextQuery> => {
  const { BoostQuery, PhraseQuery } = await import('@lancedb/lancedb');
  return new BoostQuery(new PhraseQuery(phrase, 'text'), new PhraseQuery(phrase, 'text'), { negativeBoost: 1 });
};

/** Combines scoring queries, whose scores add up, into one query. */
type Restrict = (scored: readonly FullTextQuery[]) => FullTextQuery;

/**
 * Restricts scored rows to those with all required phrases and without excluded ones. Phrases without a word besides stop
 * words restrict nothing.
 */
const restriction = async (analysis: TextAnalysis, { required, excluded }: TextRequest): Promise<Restrict> => {
  const { BooleanQuery, Occur, PhraseQuery } = await import('@lancedb/lancedb');
  const hasTerms = (phrase: string): boolean => tokenize(phrase, analysis).length > 0;
  const demands = await Promise.all(required.filter(hasTerms).map(requirePhrase));
  type Clause = [(typeof Occur)[keyof typeof Occur], FullTextQuery];
  return (scored) => {
    const clauses: Clause[] = [
      ...demands.map((query): Clause => [Occur.Must, query]),
      ...scored.map((query): Clause => [Occur.Should, query]),
      ...excluded.filter(hasTerms).map((phrase): Clause => [Occur.MustNot, new PhraseQuery(phrase, 'text')]),
    ];
    const [first] = scored;
    return clauses.length === 1 && first !== undefined ? first : new BooleanQuery(clauses);
  };
};

/** Builds the query for a text of stop words alone. Its scores are right for the table alone. */
const commonQuery = async (analysis: WordAnalysis, { scored, excluded }: TextRequest): Promise<Bm25Query | null> => {
  const { MatchQuery } = await import('@lancedb/lancedb');
  const words = commonWordsOf(analysis, scored);
  if (words.length === 0 || excluded.length > 0) return null;
  return { query: new MatchQuery(words.join(' '), commonColumn), minRows: 0, scoring: null };
};

const scoringOf = (analysis: TextAnalysis, terms: readonly Term[], whole: TextStatistics): Scoring => {
  const weights = new Map<string, number>();
  for (const { form, times } of terms)
    weights.set(form, (weights.get(form) ?? 0) + times * inverseFrequency(whole, form));
  return { analysis, weights, meanLength: meanLengthOf(whole) };
};

/**
 * Builds the BM25 query of a table for a text. Null: the text has no word to search for. Words in quotes have to occur in a
 * row in that order, `-"…"` must not occur. No other part of a text is query syntax.
 *
 * The engine weighs a word by its rarity in the table alone. If there are texts beside it, or rows were removed from it, each
 * word is boosted to its weight over all texts, unless that takes too long or would match other words. The best rows are then
 * scored again, so that equal texts have equal scores in the table and beside it.
 * @param beside Statistics of the texts that are not in the table.
 */
export const bm25Query = async (
  table: Table,
  base: TableBase,
  rules: TextRules,
  text: string,
  beside: TextStatistics,
): Promise<Bm25Query | null> => {
  const { MatchQuery } = await import('@lancedb/lancedb');
  const request = parseText(text, rules);
  const { scored } = request;
  if (scored === '') return null;
  const analysis = analysisOf(rules);
  if (tokenize(scored, analysis).length === 0) return commonQuery(analysis, request);
  const restrict = await restriction(analysis, request);
  const plain = restrict([new MatchQuery(scored, 'text')]);
  // The text index of a table counts removed rows until the table is written again.
  if (beside.texts === 0 && !base.hasRemovedRows) return { query: plain, minRows: 0, scoring: null };
  const terms = distinctTerms(analysis, scored);
  const own = await tableStatistics(table, base, terms);
  const whole = sumOf(own, beside);
  const scoring = scoringOf(analysis, terms, whole);
  const isBoosted = terms.length <= maxBoosted && areSameAlone(analysis, terms);
  const boosted = terms.map(({ word, form, times }) => {
    const boost = (times * inverseFrequency(whole, form)) / inverseFrequency(own, form);
    return new MatchQuery(word, 'text', { boost });
  });
  const isApart = Math.abs(meanLengthOf(whole) / meanLengthOf(own) - 1) > lengthTolerance;
  return {
    query: isBoosted ? restrict(boosted) : plain,
    minRows: isBoosted && !isApart ? 0 : minRescored,
    scoring,
  };
};

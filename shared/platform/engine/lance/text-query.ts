import type { FullTextQuery } from '@lancedb/lancedb';
import { parseText, type TextRequest } from '../parse-text.ts';
import type { TextLanguage } from '../text-language.ts';
import type { View } from './read-layers.ts';
import type { Scoring } from './score-texts.ts';
import {
  type Counts,
  inverseFrequency,
  openCounts,
  statisticsOf,
  sumOf,
  type TermStatistics,
} from './term-statistics.ts';
import { analysisOf, type TextAnalysis } from './text-analysis.ts';

/** Terms that are weighed over layers, the first of a text; the time grows with each. */
const maxWeighedTerms = 32;
/** How far the usual length of a layer's texts may be from that of all texts, as a part of it. */
const lengthTolerance = 0.1;

/** A word as it stands in a text, the first one with its stem, and how often that stem occurs. */
interface Term {
  readonly word: string;
  readonly times: number;
}

/** The words of a text, one for each distinct stem; stop words are left out. */
const distinctTerms = async (analysis: TextAnalysis, text: string): Promise<readonly Term[]> => {
  const { tokenize } = await import('@lancedb/lancedb');
  // Only without stop words taken out do both lists have the same length; and stems are made of words with their accents.
  const complete = { ...analysis, removeStopWords: false, asciiFolding: false };
  const [words, stems] = await Promise.all([tokenize(text, { ...complete, stem: false }), tokenize(text, complete)]);
  const common = new Set(analysis.removeStopWords ? analysis.customStopWords : []);
  const terms = new Map<string, Term>();
  for (const [at, { text: stem }] of stems.entries()) {
    if (common.has(stem)) continue;
    const known = terms.get(stem);
    terms.set(stem, { word: known?.word ?? words[at]?.text ?? stem, times: (known?.times ?? 0) + 1 });
  }
  return [...terms.values()];
};

/** Those of `phrases` that hold a word at all, besides stop words. */
const searchable = async (analysis: TextAnalysis, phrases: readonly string[]): Promise<readonly string[]> => {
  const { tokenize } = await import('@lancedb/lancedb');
  const terms = await Promise.all(phrases.map((phrase) => tokenize(phrase, analysis)));
  return phrases.filter((_, position) => (terms[position] ?? []).length > 0);
};

// The engine has no clause that only restricts, so the phrase's own score is taken off again.
const restriction = async (phrase: string): Promise<FullTextQuery> => {
  const { BoostQuery, PhraseQuery } = await import('@lancedb/lancedb');
  return new BoostQuery(new PhraseQuery(phrase, 'text'), new PhraseQuery(phrase, 'text'), { negativeBoost: 1 });
};

/** `scored` for all layers, each restricted to rows with all required and without any excluded phrase. */
const restrict = async (
  scored: readonly (readonly FullTextQuery[])[],
  { required, excluded }: Pick<TextRequest, 'required' | 'excluded'>,
): Promise<readonly FullTextQuery[]> => {
  const { BooleanQuery, Occur, PhraseQuery } = await import('@lancedb/lancedb');
  const restrictions = await Promise.all(required.map(restriction));
  type Clause = [(typeof Occur)[keyof typeof Occur], FullTextQuery];
  return scored.map((queries) => {
    const clauses: Clause[] = [
      ...restrictions.map((query): Clause => [Occur.Must, query]),
      ...queries.map((query): Clause => [Occur.Should, query]),
      ...excluded.map((phrase): Clause => [Occur.MustNot, new PhraseQuery(phrase, 'text')]),
    ];
    const [first] = queries;
    return clauses.length === 1 && first !== undefined ? first : new BooleanQuery(clauses);
  });
};

/** How the first words of a text are weighed in each layer, and in all of them together. */
interface Weighed {
  readonly queries: readonly (readonly FullTextQuery[])[];
  /** Null for layers whose tables score rightly. */
  readonly scorings: readonly (Scoring | null)[];
}

const meanLength = ({ length, documents }: TermStatistics): number => Math.max(1, length / Math.max(1, documents));

const isApart = (layer: TermStatistics, whole: TermStatistics): boolean =>
  layer.documents > 0 && Math.abs(meanLength(whole) / meanLength(layer) - 1) > lengthTolerance;

const scoringOf = async (analysis: TextAnalysis, terms: readonly Term[], whole: TermStatistics): Promise<Scoring> => {
  const { tokenize } = await import('@lancedb/lancedb');
  const rarities = whole.matches.map((_, position) => inverseFrequency(whole, position));
  const usual = rarities.reduce((sum, rarity) => sum + rarity, 0) / rarities.length;
  const forms = await Promise.all(terms.map(({ word }) => tokenize(word, analysis)));
  const weights = new Map<string, number>();
  for (const [position, { times }] of terms.entries()) {
    for (const { text } of forms[position] ?? [])
      weights.set(text, (weights.get(text) ?? 0) + times * (rarities[position] ?? usual));
  }
  return { analysis, weights, meanLength: meanLength(whole) };
};

// Each table weighs a word by how rare it is in that table alone, so a branch with few rows would score far below its
// parent; the first words of a text are therefore boosted to their weight over all layers. A word counts as often as it
// stands in the text, as the engine has it where it reads a whole text.
const weighed = async (
  counts: Counts,
  view: View,
  analysis: TextAnalysis,
  terms: readonly Term[],
): Promise<Weighed> => {
  const { MatchQuery } = await import('@lancedb/lancedb');
  const [first, rest] = [terms.slice(0, maxWeighedTerms), terms.slice(maxWeighedTerms)];
  const words = first.map(({ word }) => word);
  const layers = await Promise.all(view.map((table) => statisticsOf(counts, table, analysis, words)));
  const whole = sumOf(layers, words);
  const queries = layers.map((layer) => {
    const boosted = first.map(({ word, times }, position) => {
      const boost = (times * inverseFrequency(whole, position)) / inverseFrequency(layer, position);
      return new MatchQuery(word, 'text', { boost });
    });
    if (rest.length === 0) return boosted;
    return [...boosted, new MatchQuery(rest.map(({ word, times }) => `${word} `.repeat(times)).join(''), 'text')];
  });
  const apart = layers.map((layer) => isApart(layer, whole));
  const scoring = apart.includes(true) ? await scoringOf(analysis, terms, whole) : null;
  return { queries, scorings: apart.map((isSo) => (isSo ? scoring : null)) };
};

/** A search for a text in the layers of a view. */
export interface TextSearch {
  /** One query per layer; none where the text has no word to look for. */
  readonly queries: readonly FullTextQuery[];
  /** What makes the scores of a layer comparable to others; null where those of its query are. */
  readonly scorings: readonly (Scoring | null)[];
}

/** Finds nothing. */
export const noText: TextSearch = { queries: [], scorings: [] };

/**
 * How the layers of a view are asked for a text, to be scored by BM25. Words in
 * quotes have to stand in a row in that order, `-"…"` must not; nothing else of a text is read as query syntax.
 */
export const textQueries = (): ((view: View, language: TextLanguage, text: string) => Promise<TextSearch>) => {
  const counts = openCounts();
  return async (view, language, text) => {
    const { MatchQuery } = await import('@lancedb/lancedb');
    const request = parseText(text);
    if (request.scored === '') return noText;
    const quoted = request.required.length + request.excluded.length > 0;
    const whole = view.map(() => new MatchQuery(request.scored, 'text'));
    if (view.length < 2 && !quoted) return { queries: whole, scorings: [] };
    const analysis = await analysisOf(language);
    const [terms, required, excluded] = await Promise.all([
      distinctTerms(analysis, request.scored),
      searchable(analysis, request.required),
      searchable(analysis, request.excluded),
    ]);
    if (terms.length === 0) return noText;
    const { queries, scorings } =
      view.length < 2
        ? { queries: whole.map((query) => [query]), scorings: [] }
        : await weighed(counts, view, analysis, terms);
    return { queries: await restrict(queries, { required, excluded }), scorings };
  };
};

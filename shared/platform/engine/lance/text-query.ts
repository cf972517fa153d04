import type { FullTextQuery, Table } from '@lancedb/lancedb';
import { oncePer } from '../../../kernel/once-per.ts';
import { parseText, type TextRequest } from '../parse-text.ts';
import type { TextLanguage } from '../text-language.ts';
import type { View } from './read-layers.ts';
import { analysisOf, type TextAnalysis } from './text-analysis.ts';

/** Terms that are weighed over layers, the first of a text; the time grows with each. */
const maxWeighedTerms = 32;
/** Matches beyond which a term is just "common": its weight hardly changes any more. */
const maxCountedMatches = 100_000;

/** How often words stand in the texts of one table. */
interface TermStatistics {
  readonly documents: number;
  /** Documents with each of the asked terms, in their order. */
  readonly matches: readonly number[];
}

/** Remembers what was counted on a fixed version of a table. */
type Counts = (table: Table) => Map<string, Promise<number>>;

const countOnce = (counts: Counts, table: Table, key: string, count: () => Promise<number>): Promise<number> => {
  const known = counts(table);
  const counted = known.get(key) ?? count();
  known.set(key, counted);
  counted.catch(() => known.delete(key));
  return counted;
};

const countMatches = async (table: Table, term: string): Promise<number> => {
  const { MatchQuery } = await import('@lancedb/lancedb');
  const query = table.query().fullTextSearch(new MatchQuery(term, 'text')).limit(maxCountedMatches);
  return (await query.select(['_score']).toArrow()).numRows;
};

const statisticsOf = async (counts: Counts, table: Table, terms: readonly string[]): Promise<TermStatistics> => {
  const [documents, ...matches] = await Promise.all([
    countOnce(counts, table, '', () => table.countRows('text IS NOT NULL')),
    ...terms.map((term) => countOnce(counts, table, term, () => countMatches(table, term))),
  ]);
  return { documents: documents ?? 0, matches };
};

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

const inverseFrequency = ({ documents, matches }: TermStatistics, term: number): number => {
  const found = matches[term] ?? 0;
  return Math.log(1 + (Math.max(documents - found, 0) + 0.5) / (found + 0.5));
};

const sumOf = (parts: readonly TermStatistics[], terms: readonly string[]): TermStatistics => ({
  documents: parts.reduce((sum, part) => sum + part.documents, 0),
  matches: terms.map((_, term) => parts.reduce((sum, part) => sum + (part.matches[term] ?? 0), 0)),
});

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

// Each table weighs a word by how rare it is in that table alone, so a branch with few rows would score far below its
// parent; the first words of a text are therefore boosted to their weight over all layers. A word counts as often as it
// stands in the text, as the engine has it where it reads a whole text.
const weighed = async (
  counts: Counts,
  view: View,
  terms: readonly Term[],
): Promise<readonly (readonly FullTextQuery[])[]> => {
  const { MatchQuery } = await import('@lancedb/lancedb');
  const [first, rest] = [terms.slice(0, maxWeighedTerms), terms.slice(maxWeighedTerms)];
  const words = first.map(({ word }) => word);
  const layers = await Promise.all(view.map((table) => statisticsOf(counts, table, words)));
  const whole = sumOf(layers, words);
  return layers.map((layer) => {
    const boosted = first.map(({ word, times }, position) => {
      const boost = (times * inverseFrequency(whole, position)) / inverseFrequency(layer, position);
      return new MatchQuery(word, 'text', { boost });
    });
    if (rest.length === 0) return boosted;
    return [...boosted, new MatchQuery(rest.map(({ word, times }) => `${word} `.repeat(times)).join(''), 'text')];
  });
};

/**
 * One BM25 query per layer of a view, whose scores can be compared; none where the text has no word to look for. Words in
 * quotes have to stand in a row in that order, `-"…"` must not; nothing else of a text is read as query syntax.
 */
export const textQueries = (): ((
  view: View,
  language: TextLanguage,
  text: string,
) => Promise<readonly FullTextQuery[]>) => {
  const counts: Counts = oncePer(() => new Map<string, Promise<number>>());
  return async (view, language, text) => {
    const { MatchQuery } = await import('@lancedb/lancedb');
    const request = parseText(text);
    if (request.scored === '') return [];
    const quoted = request.required.length + request.excluded.length > 0;
    if (view.length < 2 && !quoted) return view.map(() => new MatchQuery(request.scored, 'text'));
    const analysis = await analysisOf(language);
    const [terms, required, excluded] = await Promise.all([
      distinctTerms(analysis, request.scored),
      searchable(analysis, request.required),
      searchable(analysis, request.excluded),
    ]);
    if (terms.length === 0) return [];
    const scored =
      view.length < 2 ? view.map(() => [new MatchQuery(request.scored, 'text')]) : await weighed(counts, view, terms);
    return restrict(scored, { required, excluded });
  };
};

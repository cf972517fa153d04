import type { FullTextQuery } from '@lancedb/lancedb';
import { parseText, type TextRequest } from '../parse-text.ts';
import type { PartStatistics } from '../segments/base-table.ts';
import type { TextRules } from '../text-language.ts';
import { tokenize } from '../tokenizer.ts';
import type { View } from './read-layers.ts';
import { minRescored, type Scoring } from './bm25-score.ts';
import { commonColumn } from './table-schema.ts';
import { frequencyOf, statisticsOf, sumOf, type Term, type TermStatistics } from './term-statistics.ts';
import { analysisOf, commonWordsOf, type TextAnalysis, type WordAnalysis } from './text-analysis.ts';
import { isFullyIndexed, type TextSegment, textSegmentsOf } from './text-segments.ts';

/** Words up to which each is boosted to its weight. The time grows with each. */
const maxBoosted = 32;
/** Tolerated relative difference between the mean text length of a layer and that of all texts. */
const lengthTolerance = 0.1;

/** Returns the words of a text, one for each distinct stem. Stop words are left out. */
export const distinctTerms = (analysis: TextAnalysis, text: string): readonly Term[] => {
  // Only without removal of stop words do all lists have the same length. Stems are made of words with their accents.
  const complete = { ...analysis, removeStopWords: false, asciiFolding: false };
  const words = tokenize(text, { ...complete, stem: false });
  const stems = tokenize(text, complete);
  const forms = tokenize(text, { ...complete, asciiFolding: true });
  const common = new Set(analysis.removeStopWords ? analysis.customStopWords : []);
  const terms = new Map<string, Term>();
  for (const [at, { text: stem }] of stems.entries()) {
    if (common.has(stem)) continue;
    const { word, form, times } = terms.get(stem) ?? {
      word: words[at]?.text ?? stem,
      form: forms[at]?.text ?? stem,
      times: 0,
    };
    terms.set(stem, { word, form, times: times + 1 });
  }
  return [...terms.values()];
};

/**
 * Returns whether each term stays the same if its word is analysed alone: without its neighbours, a dictionary may
 * segment it otherwise.
 */
const areSameAlone = (analysis: TextAnalysis, terms: readonly Term[]): boolean => {
  const alone = tokenize(terms.map(({ word }) => word).join(' '), analysis);
  return alone.length === terms.length && terms.every(({ form }, at) => form === alone[at]?.text);
};

/** Returns those of `phrases` that contain a word besides stop words. */
const searchable = (analysis: TextAnalysis, phrases: readonly string[]): readonly string[] =>
  phrases.filter((phrase) => tokenize(phrase, analysis).length > 0);

// The engine has no clause that only restricts, so the phrase's own score is subtracted again.
const requirePhrase = async (phrase: string): Promise<FullTextQuery> => {
  const { BoostQuery, PhraseQuery } = await import('@lancedb/lancedb');
  return new BoostQuery(new PhraseQuery(phrase, 'text'), new PhraseQuery(phrase, 'text'), { negativeBoost: 1 });
};

/** Combines scoring queries, whose scores add up, into one query. */
type Restrict = (scored: readonly FullTextQuery[]) => FullTextQuery;

/** Restricts scored rows to those with all required phrases and without excluded ones. */
const restriction = async ({ required, excluded }: Pick<TextRequest, 'required' | 'excluded'>): Promise<Restrict> => {
  const { BooleanQuery, Occur, PhraseQuery } = await import('@lancedb/lancedb');
  const demands = await Promise.all(required.map(requirePhrase));
  type Clause = [(typeof Occur)[keyof typeof Occur], FullTextQuery];
  return (scored) => {
    const clauses: Clause[] = [
      ...demands.map((query): Clause => [Occur.Must, query]),
      ...scored.map((query): Clause => [Occur.Should, query]),
      ...excluded.map((phrase): Clause => [Occur.MustNot, new PhraseQuery(phrase, 'text')]),
    ];
    const [first] = scored;
    return clauses.length === 1 && first !== undefined ? first : new BooleanQuery(clauses);
  };
};

const meanLength = ({ length, documents }: TermStatistics): number => Math.max(1, length / Math.max(1, documents));

const isApart = (layer: TermStatistics, whole: TermStatistics): boolean =>
  layer.documents > 0 && Math.abs(meanLength(whole) / meanLength(layer) - 1) > lengthTolerance;

const scoringOf = (analysis: TextAnalysis, terms: readonly Term[], whole: TermStatistics): Omit<Scoring, 'texts'> => {
  const weights = new Map<string, number>();
  for (const [position, { form, times }] of terms.entries())
    weights.set(form, (weights.get(form) ?? 0) + times * frequencyOf(whole, position));
  return { analysis, weights, meanLength: meanLength(whole) };
};

/** Parsed parts of a query text. */
interface ParsedQuery {
  readonly plain: FullTextQuery;
  readonly restrict: Restrict;
  /** Whether it has required or excluded phrases. */
  readonly quoted: boolean;
}

const termStatistics = ({ texts, length, matchesOf }: PartStatistics, terms: readonly Term[]): TermStatistics => ({
  documents: texts,
  length,
  matches: terms.map(({ form }) => matchesOf(form)),
});

// The engine weighs a word by its rarity in each table alone, so a branch with few rows would score far below its
// parent. The words of a query are therefore boosted to their weight over all layers. A word counts as often as it
// occurs in the query, as in the engine. If that takes too long or would match other words, the best rows by the
// engine's own weights are scored again, and if there are few texts, all matching rows.
const weightQuery = async (
  portions: readonly TextSegment[],
  analysis: TextAnalysis,
  terms: readonly Term[],
  { plain, restrict, quoted }: ParsedQuery,
  beside: PartStatistics | null,
): Promise<readonly Bm25Query[]> => {
  const { MatchQuery } = await import('@lancedb/lancedb');
  const parts = await Promise.all(portions.map(({ counts }) => statisticsOf(counts, terms)));
  const whole = sumOf(beside === null ? parts : [...parts, termStatistics(beside, terms)], terms);
  const scoring = scoringOf(analysis, terms, whole);
  const boostable = terms.length <= maxBoosted && areSameAlone(analysis, terms);
  const boosted = (part: TermStatistics): FullTextQuery => {
    const words = terms.map(({ word, times }, position) => {
      const boost = (times * frequencyOf(whole, position)) / frequencyOf(part, position);
      return new MatchQuery(word, 'text', { boost });
    });
    return restrict(words);
  };
  return portions.flatMap(({ counts: { texts }, where, indexedOnly, weighed }, at): Bm25Query[] => {
    const part = parts[at];
    if (part === undefined) return [];
    const asked = { where, indexedOnly, scoring: { ...scoring, texts } };
    if (texts !== null) return [{ ...asked, query: quoted ? restrict([plain]) : null, minRows: part.documents }];
    if (!boostable || (!weighed && !indexedOnly)) return [{ ...asked, query: restrict([plain]), minRows: minRescored }];
    const query = boosted(part);
    if (isApart(part, whole)) return [{ ...asked, query, minRows: minRescored }];
    return [{ ...asked, query, minRows: 0, ...(weighed ? { scoring: null } : {}) }];
  });
};

/** BM25 query of one segment of a layer. */
export type Bm25Query = Pick<TextSegment, 'where' | 'indexedOnly'> & {
  /** Minimum of rows to fetch. */
  readonly minRows: number;
} & (
    | {
        readonly query: FullTextQuery;
        /** Data that makes its scores comparable to those of other layers. Null if they are. */
        readonly scoring: Scoring | null;
      }
    /** Without a query, rows are scored by texts that are already known. */
    | { readonly query: null; readonly scoring: Scoring }
  );

/** BM25 queries of the layers of a view. A layer without text has none. */
export type Bm25Queries = readonly (readonly Bm25Query[])[];

const byEngine = { where: undefined, indexedOnly: false, scoring: null, minRows: 0 };

/** Builds the queries for a text of stop words alone, each weighed by the layer of a row. */
const commonQueries = async (
  view: View,
  analysis: WordAnalysis,
  { scored, excluded }: TextRequest,
): Promise<Bm25Queries> => {
  const { MatchQuery } = await import('@lancedb/lancedb');
  const words = commonWordsOf(analysis, scored);
  if (words.length === 0 || excluded.length > 0) return [];
  return view.map(() => [{ ...byEngine, query: new MatchQuery(words.join(' '), commonColumn) }]);
};

/**
 * Builds the BM25 queries of the layers of a view for a text. There are none if the text has no word to search for.
 * Words in quotes have to occur in a row in that order, `-"…"` must not occur. No other part of a text is query syntax.
 * @param beside Statistics of texts outside of the view.
 */
export const bm25Queries = async (
  view: View,
  rules: TextRules,
  text: string,
  beside: PartStatistics | null = null,
): Promise<Bm25Queries> => {
  const { MatchQuery } = await import('@lancedb/lancedb');
  const request = parseText(text, rules);
  if (request.scored === '') return [];
  const plain = new MatchQuery(request.scored, 'text');
  const quoted = request.required.length + request.excluded.length > 0;
  const [only] = view.length === 1 && beside === null ? view : [];
  const settled = only !== undefined && (await isFullyIndexed(only));
  const analysis = analysisOf(rules);
  if (tokenize(request.scored, analysis).length === 0) return commonQueries(view, analysis, request);
  if (settled && !quoted) return [[{ ...byEngine, query: plain }]];
  const terms = distinctTerms(analysis, request.scored);
  if (terms.length === 0) return [];
  const [required, excluded] = [request.required, request.excluded].map((phrases) => searchable(analysis, phrases));
  const [restrict, layers] = await Promise.all([
    restriction({ required: required ?? [], excluded: excluded ?? [] }),
    settled ? [] : Promise.all(view.map((table) => textSegmentsOf(table, analysis))),
  ]);
  const alone = [{ ...byEngine, query: restrict([plain]) }];
  if (settled) return [alone];
  const filled = layers.map((portions) => portions.filter(({ counts }) => counts.documents > 0));
  const [first, ...others] = filled.flat();
  // The engine weighs the texts of a single table correctly once its index covers all of them.
  if (first === undefined || (others.length === 0 && first.weighed && beside === null))
    return filled.map(({ length }) => (length > 0 ? alone : []));
  const searches = await weightQuery(filled.flat(), analysis, terms, { plain, restrict, quoted }, beside);
  const depths = filled.flatMap((portions, depth) => portions.map(() => depth));
  return view.map((_, depth) => searches.filter((_search, at) => depths[at] === depth));
};

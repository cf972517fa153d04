import { memoizePerOwner } from '../../../../shared/kernel/memoize.ts';
import { inverseFrequency, meanLengthOf, sumOf, termScore, type TextStatistics } from '../bm25.ts';
import { highestWithTies } from '../in-memory-search/top-rows.ts';
import { analysisOf, commonWordsOf } from '../lance/text-analysis.ts';
import { parseText } from '../parse-text.ts';
import type { IndexRef } from '../port.ts';
import { rulesOf } from '../text-language.ts';
import { termsOf } from './analyse-rows.ts';
import type { InvertedLists, KeyRows } from './inverted-lists.ts';
import type { Segment } from './open-segment.ts';
import type { LiveSegment, OpenVersion } from './open-versions.ts';
import type { TermPositions } from './segment-builder.ts';
import type { IsOut, ScoredRow } from './segment-vectors.ts';

/** Section with the terms of texts, and that with their stop words. */
type TermSection = 'terms' | 'common';

/** Terms of a query text. */
export interface TextTerms {
  /** Stop words are searched only if a text has no other words. */
  readonly section: TermSection;
  /** Occurrences of each term in the query. */
  readonly weights: ReadonlyMap<string, number>;
  readonly required: readonly TermPositions[];
  readonly excluded: readonly TermPositions[];
}

const countsOf = (terms: TermPositions): ReadonlyMap<string, number> =>
  new Map(Array.from(terms, ([term, positions]) => [term, positions.length]));

/** Returns the terms of a query text. Null: there is no word to search for. */
export const queryTerms = (ref: IndexRef, text: string): TextTerms | null => {
  const rules = rulesOf(ref);
  const { scored, required, excluded } = parseText(text, rules);
  if (scored === '') return null;
  const analysis = analysisOf(rules);
  const phrases = (all: readonly string[]): readonly TermPositions[] =>
    all.map((phrase) => termsOf(phrase, analysis)).filter(({ size }) => size > 0);
  const weights = countsOf(termsOf(scored, analysis));
  if (weights.size > 0) return { section: 'terms', weights, required: phrases(required), excluded: phrases(excluded) };
  const common = commonWordsOf(analysis, scored).join(' ');
  if (common === '' || excluded.length > 0) return null;
  const complete = { ...analysis, removeStopWords: false };
  return { section: 'common', weights: countsOf(termsOf(common, complete)), required: [], excluded: [] };
};

const totalsIn = (section: TermSection) =>
  memoizePerOwner(async ({ live }: OpenVersion): Promise<Omit<TextStatistics, 'matchesOf'>> => {
    let [texts, length] = [0, 0];
    for (const { segment, isDead } of live) {
      const { lengths } = await segment.get(section);
      for (const [row, terms] of lengths.entries()) {
        if (terms === 0 || isDead?.(row)) continue;
        texts += 1;
        length += terms;
      }
    }
    return { texts, length };
  });

const totalsOf = { terms: totalsIn('terms'), common: totalsIn('common') } as const;

const noRows: KeyRows = { rows: [], counts: [] };

/** Occurrences of the terms of a query in one segment, in their order. */
const foundIn = (lists: InvertedLists, terms: Iterable<string>): readonly KeyRows[] =>
  Array.from(terms, (term) => {
    const number = lists.find(term);
    return number < 0 ? noRows : lists.rowsOf(number);
  });

/** Returns the rows of a segment that contain the terms of a phrase at their distances. */
const rowsWithPhrase = async (segment: Segment, phrase: TermPositions): Promise<ReadonlySet<number>> => {
  const [lists, encoded] = await Promise.all([segment.get('terms'), segment.get('positions')]);
  const wanted = [...phrase].flatMap(([term, places]) => places.map((place) => ({ term, place })));
  /** Positions at which the phrase may begin, by row. */
  let starts: ReadonlyMap<number, ReadonlySet<number>> | null = null;
  for (const { term, place } of wanted) {
    const number = lists.find(term);
    const found = number < 0 ? noRows : lists.rowsOf(number);
    const places = number < 0 ? [] : lists.positionsOf(number, found, encoded);
    const next = new Map<number, ReadonlySet<number>>();
    for (const [at, row] of found.rows.entries()) {
      const known: ReadonlySet<number> | undefined = starts?.get(row);
      if (starts !== null && known === undefined) continue;
      const fitting = (places[at] ?? [])
        .map((position) => position - place)
        .filter((start) => known?.has(start) ?? true);
      if (fitting.length > 0) next.set(row, new Set(fitting));
    }
    starts = next;
  }
  return new Set(starts?.keys());
};

const phraseFilter = async (segment: Segment, { required, excluded }: TextTerms): Promise<(row: number) => boolean> => {
  const [all, none] = await Promise.all(
    [required, excluded].map((phrases) => Promise.all(phrases.map((phrase) => rowsWithPhrase(segment, phrase)))),
  );
  return (row) => (all ?? []).every((rows) => rows.has(row)) && !(none ?? []).some((rows) => rows.has(row));
};

/** Occurrences of the terms of a query in the segments of a version, with their statistics. */
export interface FoundTexts {
  readonly terms: TextTerms;
  readonly segments: readonly {
    readonly live: LiveSegment;
    readonly lengths: Uint32Array;
    /** In the order of the terms. */
    readonly found: readonly KeyRows[];
  }[];
  readonly statistics: TextStatistics;
}

const matchesIn = ({ isDead }: LiveSegment, { rows }: KeyRows): number =>
  isDead === null ? rows.length : rows.reduce((sum, row) => sum + (isDead(row) ? 0 : 1), 0);

/** Finds the terms of a query in the segments of a version. */
export const findTexts = async (version: OpenVersion, terms: TextTerms): Promise<FoundTexts> => {
  const { texts, length } = await totalsOf[terms.section](version);
  const segments = await Promise.all(
    version.live.map(async (live) => {
      const lists = await live.segment.get(terms.section);
      return { live, lengths: lists.lengths, found: foundIn(lists, terms.weights.keys()) };
    }),
  );
  const matches = new Map(
    [...terms.weights.keys()].map((term, at) => [
      term,
      segments.reduce((sum, { live, found }) => sum + matchesIn(live, found[at] ?? noRows), 0),
    ]),
  );
  return { terms, segments, statistics: { texts, length, matchesOf: (term) => matches.get(term) ?? 0 } };
};

/**
 * Returns the best rows of each segment by BM25, best first. Rows with the score of the last are among them.
 * @param out Rows that are left out, for each segment.
 * @param beside Statistics of texts in a table below.
 */
export const bestTexts = async (
  { terms, segments, statistics }: FoundTexts,
  out: readonly IsOut[],
  limit: number,
  beside: TextStatistics | null,
): Promise<readonly (readonly ScoredRow[])[]> => {
  const whole = beside === null ? statistics : sumOf(statistics, beside);
  const meanLength = meanLengthOf(whole);
  const weights = Array.from(terms.weights, ([term, times]) => times * inverseFrequency(whole, term));
  return Promise.all(
    segments.map(async ({ live: { segment }, lengths, found }, at) => {
      const scores = new Float64Array(lengths.length);
      // Plain loops: iterators take as long as the scores themselves.
      for (const [term, { rows, counts }] of found.entries()) {
        const weight = weights[term] ?? 0;
        for (let number = 0; number < rows.length; number += 1) {
          const row = rows[number] ?? 0;
          scores[row] = (scores[row] ?? 0) + termScore(weight, counts[number] ?? 0, lengths[row] ?? 0, meanLength);
        }
      }
      const hasPhrases = await phraseFilter(segment, terms);
      const isOut = out[at];
      const compared = new Float32Array(scores.length);
      for (let row = 0; row < scores.length; row += 1) {
        const score = scores[row] ?? 0;
        compared[row] = score > 0 && !isOut?.(row) && hasPhrases(row) ? score : Number.NaN;
      }
      return highestWithTies(compared, limit).map((row) => ({ row, score: compared[row] ?? 0 }));
    }),
  );
};

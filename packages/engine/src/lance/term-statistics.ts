import type { Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import { memoize, memoizePerOwner } from '../../../../shared/kernel/memoize.ts';
import type { TextStatistics } from '../bm25.ts';
import type { TableBase } from '../segments/base-table.ts';
import { tokenize } from '../tokenizer.ts';
import type { TextAnalysis } from './text-analysis.ts';

/** Matches beyond which a term is just "common": its weight hardly changes any more. */
const maxCountedMatches = 100_000;
/** Terms of a table whose matches are remembered. */
const rememberedTerms = 10_000;

/** A word as in the text, the first one with its stem. */
export interface Term {
  readonly word: string;
  /** As the text index stores it. */
  readonly form: string;
  /** Number of occurrences of its stem. */
  readonly times: number;
}

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

const countMatches = async (table: Table, { word }: Term): Promise<number> => {
  const { MatchQuery, Operator } = await import('@lancedb/lancedb');
  // Alone, a dictionary may segment a word. A text with only one of the parts does not contain the word.
  const match = new MatchQuery(word, 'text', { operator: Operator.And });
  const query = table.query().fullTextSearch(match).limit(maxCountedMatches);
  return (await query.select(['_score']).toArrow()).numRows;
};

/** Matches of the terms of a table, which has a fixed version. */
const matchesOf = memoizePerOwner((_table: Table) => new LRUCache<string, Promise<number>>({ max: rememberedTerms }));

/** Returns the frequencies of terms in the texts of a table. */
export const tableStatistics = async (
  table: Table,
  { texts, terms: length }: TableBase,
  terms: readonly Term[],
): Promise<TextStatistics> => {
  const counted = terms.map(async (term): Promise<readonly [string, number]> => {
    const matches = memoize(matchesOf(table), term.form, () => countMatches(table, term));
    return [term.form, await matches];
  });
  const matches = new Map(await Promise.all(counted));
  return { texts, length, matchesOf: (form) => matches.get(form) ?? 0 };
};

import type { Query, Table, TakeQuery } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import { inverseFrequency } from '../bm25.ts';
import { memoize } from '../../../../shared/kernel/memoize.ts';
import { columnOf, mapRows } from './decode-rows.ts';
import type { TextAnalysis } from './text-analysis.ts';
import { termsOf, type TextTerms } from './text-terms.ts';

/** Matches beyond which a term is just "common": its weight hardly changes any more. */
const maxCountedMatches = 100_000;
/** Unindexed rows up to which their texts are scanned: the text index would read each of them for every word. */
export const fewRows = 500;
/** Characters up to which texts are scanned. */
const fewChars = 500_000;
/** Texts that are sampled to estimate the bytes of a term and the share of texts without terms. */
const sampledTexts = 32;

/** A word as in the text, the first one with its stem. */
export interface Term {
  readonly word: string;
  /** As the text index stores it. */
  readonly form: string;
  /** Number of occurrences of its stem. */
  readonly times: number;
}

/** Statistics of the texts of a table at a fixed version. */
export interface TextCounts {
  /** Texts with at least one term, counted as in the engine. */
  readonly documents: number;
  /** All of them by row id if there are few rows, else null. */
  readonly texts: ReadonlyMap<string, PlacedTerms> | null;
  /** Terms of all texts. An estimate if there are many. */
  readonly length: number;
  /** Returns the number of documents with a term. */
  readonly countOf: (term: Term) => Promise<number>;
}

/** Frequencies of terms in the texts of some tables, and the length of those texts. */
export interface TermStatistics {
  readonly documents: number;
  readonly length: number;
  /** Documents with each of the terms, in their order. */
  readonly matches: readonly number[];
}

const lengthOf = (texts: readonly TextTerms[]): number => texts.reduce((sum, { length }) => sum + length, 0);

/** A text with the address of its row. */
export interface PlacedTerms extends TextTerms {
  readonly rowId: bigint;
}

export interface TextRow {
  readonly rowId: bigint;
  readonly id: string;
  readonly text: string;
}

/** Returns the rows that have a text. */
export const textRows = async (rows: Query | TakeQuery): Promise<readonly TextRow[]> => {
  const all: ArrowTable = await rows.select(['id', 'text']).withRowId().toArrow();
  const [id, text] = [columnOf<string>(all, 'id'), columnOf<string | null>(all, 'text')];
  const rowId = columnOf<bigint>(all, '_rowid');
  return mapRows(all, (position) => ({
    id: id(position),
    rowId: rowId(position),
    text: text(position) ?? '',
  })).filter((row) => row.text !== '');
};

/** Returns whether the terms of these texts may be remembered. */
export const areFew = (rows: readonly TextRow[]): boolean =>
  rows.length <= fewRows && rows.reduce((sum, { text }) => sum + text.length, 0) <= fewChars;

export const countFew = (analysis: TextAnalysis, rows: readonly TextRow[]): TextCounts => {
  const texts = new Map(rows.map(({ id, rowId, text }) => [id, { ...termsOf(analysis, text), rowId }]));
  const matches = new Map<string, number>();
  for (const { times } of texts.values())
    for (const term of times.keys()) matches.set(term, (matches.get(term) ?? 0) + 1);
  return {
    documents: [...texts.values()].filter(({ length }) => length > 0).length,
    texts,
    length: lengthOf([...texts.values()]),
    countOf: ({ form }) => Promise.resolve(matches.get(form) ?? 0),
  };
};

const countMatches = async (table: Table, { word }: Term, indexedOnly: boolean): Promise<number> => {
  const { MatchQuery, Operator } = await import('@lancedb/lancedb');
  // Alone, a dictionary may segment a word. A text with only one of the parts does not contain the word.
  const match = new MatchQuery(word, 'text', { operator: Operator.And });
  const query = table.query().fullTextSearch(match).limit(maxCountedMatches);
  return (await (indexedOnly ? query.fastSearch() : query).select(['_score']).toArrow()).numRows;
};

/** Counts texts and their bytes by a narrow column: selecting the rows that have a text would read all texts. */
const measureTexts = async (rows: Query): Promise<{ readonly documents: number; readonly bytes: number }> => {
  let [documents, bytes] = [0, 0];
  for await (const batch of rows.select(['text_bytes'])) {
    for (const length of batch.getChild('text_bytes') ?? []) {
      bytes += Number(length);
      if (length > 0) documents += 1;
    }
  }
  return { documents, bytes };
};

/** Estimates from the first texts of a table the terms per byte, and the share of texts with any. */
const sampleTexts = async (
  table: Table,
  analysis: TextAnalysis,
): Promise<{ readonly termsPerByte: number; readonly filled: number }> => {
  const query = table.query().where('text_bytes > 0').select(['text', 'text_bytes']).limit(sampledTexts);
  const first: ArrowTable = await query.toArrow();
  const [text, bytes] = [columnOf<string>(first, 'text'), columnOf<number>(first, 'text_bytes')];
  const terms = mapRows(first, (position) => termsOf(analysis, text(position)));
  const total = mapRows(first, bytes).reduce((sum, length) => sum + length, 0);
  const filled = terms.filter(({ length }) => length > 0).length;
  // If none of the first texts has a term, others may.
  return {
    termsPerByte: lengthOf(terms) / Math.max(1, total),
    filled: Math.max(1, filled) / Math.max(1, terms.length),
  };
};

/** Counts of many texts. */
export interface Counted {
  readonly documents: number;
  readonly length: number;
  readonly matches: Map<string, Promise<number>>;
}

/**
 * Counts many texts of a table.
 * @param settled SQL for the rows that the text index covers, to count only those.
 */
export const measureMany = async (table: Table, analysis: TextAnalysis, settled?: string): Promise<Counted> => {
  const rows = settled === undefined ? table.query() : table.query().where(settled);
  const [{ documents, bytes }, { termsPerByte, filled }] = await Promise.all([
    measureTexts(rows),
    sampleTexts(table, analysis),
  ]);
  return { documents: documents * filled, length: bytes * termsPerByte, matches: new Map() };
};

export const countMany = (table: Table, { documents, length, matches }: Counted, indexedOnly = false): TextCounts => ({
  documents,
  texts: null,
  length,
  countOf: (term) => memoize(matches, term.form, () => countMatches(table, term, indexedOnly)),
});

/** Returns the statistics of the texts of a table at a fixed version. */
export const countsOf = async (table: Table, analysis: TextAnalysis): Promise<TextCounts> => {
  const rows = (await table.countRows()) > fewRows ? null : await textRows(table.query());
  return rows !== null && areFew(rows)
    ? countFew(analysis, rows)
    : countMany(table, await measureMany(table, analysis));
};

export const statisticsOf = async (
  { documents, length, countOf }: TextCounts,
  terms: readonly Term[],
): Promise<TermStatistics> => ({ documents, length, matches: await Promise.all(terms.map(countOf)) });

/** Returns the inverse document frequency of a term. */
export const frequencyOf = ({ documents, matches }: TermStatistics, term: number): number =>
  inverseFrequency(documents, matches[term] ?? 0);

export const sumOf = (parts: readonly TermStatistics[], terms: readonly Term[]): TermStatistics => ({
  documents: parts.reduce((sum, part) => sum + part.documents, 0),
  length: parts.reduce((sum, part) => sum + part.length, 0),
  matches: terms.map((_, term) => parts.reduce((sum, part) => sum + (part.matches[term] ?? 0), 0)),
});

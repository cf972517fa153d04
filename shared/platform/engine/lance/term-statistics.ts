import type { Table } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import { oncePer } from '../../../kernel/once-per.ts';
import { columnOf, mapRows } from './decode-rows.ts';
import type { TextAnalysis } from './text-analysis.ts';

/** Matches beyond which a term is just "common": its weight hardly changes any more. */
const maxCountedMatches = 100_000;
/** Texts of a table that tell how many bytes a term takes. */
const sampledTexts = 32;

/** How often words stand in the texts of some tables, and how long those are. */
export interface TermStatistics {
  readonly documents: number;
  /** Terms of all texts, as an estimate. */
  readonly length: number;
  /** Documents with each of the asked terms, in their order. */
  readonly matches: readonly number[];
}

/** Remembers what was counted on a fixed version of a table. */
export type Counts = (table: Table) => Map<string, Promise<number>>;

export const openCounts = (): Counts => oncePer(() => new Map<string, Promise<number>>());

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

/** Terms of a table's texts: as many as their bytes make, by the first ones. */
const countTerms = async (table: Table, analysis: TextAnalysis): Promise<number> => {
  const { tokenize } = await import('@lancedb/lancedb');
  let bytes = 0;
  for await (const batch of table.query().select(['text_bytes']))
    for (const length of batch.getChild('text_bytes') ?? []) bytes += Number(length);
  const sample: ArrowTable = await table
    .query()
    .where('text IS NOT NULL')
    .select(['text'])
    .limit(sampledTexts)
    .toArrow();
  const texts = mapRows(sample, columnOf<string>(sample, 'text')).join('\n');
  const terms = await tokenize(texts, analysis);
  return (bytes * terms.length) / Math.max(1, Buffer.byteLength(texts));
};

export const statisticsOf = async (
  counts: Counts,
  table: Table,
  analysis: TextAnalysis,
  terms: readonly string[],
): Promise<TermStatistics> => {
  // No term has a blank in it.
  const [documents, length, ...matches] = await Promise.all([
    countOnce(counts, table, ' documents', () => table.countRows('text IS NOT NULL')),
    countOnce(counts, table, ' length', () => countTerms(table, analysis)),
    ...terms.map((term) => countOnce(counts, table, term, () => countMatches(table, term))),
  ]);
  return { documents: documents ?? 0, length: length ?? 0, matches };
};

/** How much the term at a position tells by its rarity, as BM25 has it. */
export const inverseFrequency = ({ documents, matches }: TermStatistics, term: number): number => {
  const found = matches[term] ?? 0;
  return Math.log(1 + (Math.max(documents - found, 0) + 0.5) / (found + 0.5));
};

export const sumOf = (parts: readonly TermStatistics[], terms: readonly string[]): TermStatistics => ({
  documents: parts.reduce((sum, part) => sum + part.documents, 0),
  length: parts.reduce((sum, part) => sum + part.length, 0),
  matches: terms.map((_, term) => parts.reduce((sum, part) => sum + (part.matches[term] ?? 0), 0)),
});

import type { FullTextQuery, Table } from '@lancedb/lancedb';
import { textAnalysis } from './table-schema.ts';
import type { View } from './read-layers.ts';

/** Characters of a query text that are searched; what stands behind them is ignored. */
const maxQueryLength = 2_048;
/** Terms that are weighed over layers; the time grows with each. */
const maxWeighedTerms = 32;
/** Matches beyond which a term is just "common": its weight hardly changes any more. */
const maxCountedMatches = 100_000;

/** The part of a user's text that is searched; null where it is blank. Never ends in half a surrogate pair. */
export const searchableText = (text: string): string | null => {
  const cut = text.slice(0, maxQueryLength).toWellFormed().trim();
  return cut === '' ? null : cut;
};

/** How often words stand in the texts of one table. */
interface TermStatistics {
  readonly documents: number;
  /** Documents with each of the asked terms, in their order. */
  readonly matches: readonly number[];
}

/** Remembers what was counted on a fixed version of a table. */
type Counts = WeakMap<Table, Map<string, Promise<number>>>;

const countOnce = (counts: Counts, table: Table, key: string, count: () => Promise<number>): Promise<number> => {
  const known = counts.get(table) ?? new Map<string, Promise<number>>();
  counts.set(table, known);
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

/** Words of a text as they stand in it, one for each distinct stem; stop words are left out. */
const distinctTerms = async (text: string): Promise<readonly string[]> => {
  const { tokenize } = await import('@lancedb/lancedb');
  const [words, stems] = await Promise.all([
    tokenize(text, { ...textAnalysis, stem: false }),
    tokenize(text, textAnalysis),
  ]);
  const wordAt = new Map(words.map((word) => [word.position, word.text]));
  const wordOf = new Map(stems.map((stem) => [stem.text, wordAt.get(stem.position) ?? stem.text]));
  return [...wordOf.values()].slice(0, maxWeighedTerms);
};

const inverseFrequency = ({ documents, matches }: TermStatistics, term: number): number => {
  const found = matches[term] ?? 0;
  return Math.log(1 + (Math.max(documents - found, 0) + 0.5) / (found + 0.5));
};

const sumOf = (parts: readonly TermStatistics[], terms: readonly string[]): TermStatistics => ({
  documents: parts.reduce((sum, part) => sum + part.documents, 0),
  matches: terms.map((_, term) => parts.reduce((sum, part) => sum + (part.matches[term] ?? 0), 0)),
});

/**
 * One BM25 query per layer whose scores can be compared. Each table weighs a word by how rare it is in that table alone, so
 * a branch with few rows would score far below its parent; every word is therefore boosted to its weight over all layers.
 * Text is never read as query syntax.
 */
export const textQueries = (): ((view: View, text: string) => Promise<readonly FullTextQuery[]>) => {
  const counts: Counts = new WeakMap();
  return async (view, text) => {
    const { BooleanQuery, MatchQuery, Occur } = await import('@lancedb/lancedb');
    if (view.length < 2) return view.map(() => new MatchQuery(text, 'text'));
    const terms = await distinctTerms(text);
    // A query of no clause is refused; one without words finds nothing.
    if (terms.length === 0) return view.map(() => new MatchQuery(text, 'text'));
    const layers = await Promise.all(view.map((table) => statisticsOf(counts, table, terms)));
    const whole = sumOf(layers, terms);
    return layers.map((layer) => {
      const clauses = terms.map((term, position): [typeof Occur.Should, FullTextQuery] => {
        const boost = inverseFrequency(whole, position) / inverseFrequency(layer, position);
        return [Occur.Should, new MatchQuery(term, 'text', { boost })];
      });
      return new BooleanQuery(clauses);
    });
  };
};

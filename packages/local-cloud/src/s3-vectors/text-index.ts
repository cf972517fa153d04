import { hash } from 'node:crypto';
import { analysisOf, termsOf, type TextTerms, type TextLanguage } from '../../../engine/src/index.ts';
import type { Database } from '../object-store/database.ts';

/** Language of the analyzer by code. Chinese, Japanese and the standard analyzer do not stem. */
const languages: Readonly<Record<string, TextLanguage>> = {
  en: 'english',
  fr: 'french',
  es: 'spanish',
  pt: 'portuguese',
  it: 'italian',
  de: 'german',
  nl: 'dutch',
  ko: 'korean',
};

/** Cuts a text into the terms of an analyzer. */
export const analyze = async (language: string | undefined, text: string): Promise<TextTerms> =>
  termsOf(analysisOf({ language: languages[language ?? ''] ?? 'none' }), text);

interface TextHit {
  readonly place: number;
  readonly score: number;
}

/** Full-text index of one metadata key, as a table of its own, since BM25 counts the texts of a table. */
export interface TextIndex {
  readonly create: () => void;
  readonly drop: () => void;
  /** Stores the terms of a vector's text in place of others. */
  readonly set: (place: number, terms: TextTerms) => void;
  readonly remove: (place: number) => void;
  /** Returns the BM25 scores of the vectors whose text has a term of the query, by place. */
  readonly search: (query: TextTerms) => ReadonlyMap<number, number>;
}

/** Weight that FTS5 gives to a term of half of the texts or more, so that the order of a few texts would be arbitrary. */
const leastWeight = 1e-6;

/** Returns a term in characters that the tokenizer keeps. */
const wordOf = (term: string): string => Buffer.from(term).toString('hex');

/** Opens the text index of a metadata key. */
export const openTextIndex = ({ run }: Database, indexId: string, metadataKey: string): TextIndex => {
  const table = `texts${hash('sha256', JSON.stringify([indexId, metadataKey])).slice(0, 24)}`;
  const scored = `SELECT rowid AS place, -bm25(${table}) AS score FROM ${table} WHERE terms MATCH ?`;
  return {
    create: () =>
      void run(
        `CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING fts5(terms, content='', contentless_delete=1, tokenize='ascii')`,
      ),
    drop: () => void run(`DROP TABLE IF EXISTS ${table}`),
    set: (place, { times }) => {
      const words = [...times].flatMap(([term, count]) => Array.from({ length: count }, () => wordOf(term)));
      run(`INSERT OR REPLACE INTO ${table} (rowid, terms) VALUES (?, ?)`, place, words.join(' '));
    },
    remove: (place) => void run(`DELETE FROM ${table} WHERE rowid = ?`, place),
    search: ({ times }) => {
      const scores = new Map<number, number>();
      const [{ texts }] = run(`SELECT count(*) AS texts FROM ${table}_docsize`) as readonly [
        { readonly texts: number },
      ];
      for (const term of times.keys()) {
        const hits = run(scored, wordOf(term)) as readonly TextHit[];
        const rarity = (texts - hits.length + 0.5) / (hits.length + 0.5);
        const weight = Math.log(1 + rarity) / (rarity > 1 ? Math.log(rarity) : leastWeight);
        for (const { place, score } of hits) scores.set(place, (scores.get(place) ?? 0) + score * weight);
      }
      return scores;
    },
  };
};

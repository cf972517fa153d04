import { analysisOf } from '../../shared/platform/engine/lance/text-analysis.ts';
import { termsOf, type TextTerms } from '../../shared/platform/engine/lance/text-terms.ts';
import type { TextLanguage } from '../../shared/platform/engine/text-language.ts';

const k1 = 1.2;
const b = 0.75;

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
  termsOf(await analysisOf({ language: languages[language ?? ''] ?? 'none', analyzer: 'v2' }), text);

/** Full-text index of one metadata key in memory. */
export interface TextIndex {
  readonly set: (key: string, terms: TextTerms) => void;
  readonly remove: (key: string) => void;
  /** Returns the BM25 scores of the vectors that contain a term of the query. */
  readonly score: (query: TextTerms) => ReadonlyMap<string, number>;
}

export const openTextIndex = (): TextIndex => {
  const documents = new Map<string, TextTerms>();
  const postings = new Map<string, Set<string>>();
  let totalLength = 0;
  const remove = (key: string): void => {
    const terms = documents.get(key);
    if (terms === undefined) return;
    documents.delete(key);
    totalLength -= terms.length;
    for (const term of terms.times.keys()) {
      const keys = postings.get(term);
      keys?.delete(key);
      if (keys?.size === 0) postings.delete(term);
    }
  };
  return {
    remove,
    set: (key, terms) => {
      remove(key);
      documents.set(key, terms);
      totalLength += terms.length;
      for (const term of terms.times.keys()) {
        const keys = postings.get(term) ?? new Set();
        postings.set(term, keys.add(key));
      }
    },
    score: (query) => {
      const scores = new Map<string, number>();
      const meanLength = totalLength / documents.size;
      for (const term of query.times.keys()) {
        const keys = postings.get(term) ?? new Set();
        const idf = Math.log(1 + (documents.size - keys.size + 0.5) / (keys.size + 0.5));
        for (const key of keys) {
          const { length = 0, times } = documents.get(key) ?? {};
          const frequency = times?.get(term) ?? 0;
          const weight = (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * length) / meanLength));
          scores.set(key, (scores.get(key) ?? 0) + idf * weight);
        }
      }
      return scores;
    },
  };
};

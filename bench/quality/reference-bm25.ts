import { tokenize } from '@lancedb/lancedb';
import type { Collection } from './read-collection.ts';
import { analysisOf, currentAnalyzer, parseText, searchedText, type TextRules } from '#engine';

const [k1, b] = [1.2, 0.75];

const termsOf = async (analysed: string, rules: TextRules): Promise<readonly string[]> =>
  (await tokenize(analysed, analysisOf(rules))).map((token) => token.text);

const countsOf = (terms: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
};

/** BM25 as in the textbook, over every document, with the text analysis of the service. */
export const referenceBm25 = async ({
  documents,
  headings,
  language,
}: Pick<Collection, 'documents' | 'headings' | 'language'>): Promise<
  (question: string, limit: number) => Promise<readonly string[]>
> => {
  const rules: TextRules = { language, analyzer: currentAnalyzer };
  const bags: { readonly id: string; readonly length: number; readonly counts: ReadonlyMap<string, number> }[] = [];
  const found = new Map<string, number>();
  for (const [id, text] of documents) {
    const terms = await termsOf(
      searchedText(text, headings?.get(id)?.filter((one) => !text.includes(one)) ?? [], rules),
      rules,
    );
    const counts = countsOf(terms);
    bags.push({ id, length: terms.length, counts });
    for (const term of counts.keys()) found.set(term, (found.get(term) ?? 0) + 1);
  }
  const averageLength = bags.reduce((sum, { length }) => sum + length, 0) / bags.length;
  const weightOf = (term: string): number => {
    const documentsWith = found.get(term) ?? 0;
    return Math.log(1 + (bags.length - documentsWith + 0.5) / (documentsWith + 0.5));
  };
  return async (question, limit) => {
    const terms = await termsOf(parseText(question, rules).scored, rules);
    const scored = bags.map(({ id, length, counts }) => {
      const norm = k1 * (1 - b + (b * length) / averageLength);
      const score = terms.reduce((sum, term) => {
        const count = counts.get(term) ?? 0;
        return sum + (weightOf(term) * count * (k1 + 1)) / (count + norm);
      }, 0);
      return { id, score };
    });
    return scored
      .filter(({ score }) => score > 0)
      .toSorted((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id }) => id);
  };
};

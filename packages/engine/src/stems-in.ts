import { commonWordLists } from './common-words.ts';
import { likelyLanguages } from './detect-language.ts';
import { analysisOf } from './lance/text-analysis.ts';
import type { TextLanguage } from './text-language.ts';
import { tokenize } from './tokenizer.ts';

const plain = analysisOf({ language: 'none', analyzer: 'v3' });

/** Stems of the words of a text in a language, in their order, without stop words and words that are their own stems. */
const stemsOf = (text: string, language: TextLanguage): string => {
  const words = new Map(tokenize(text, plain).map(({ position, text: word }) => [position, word]));
  return tokenize(text, analysisOf({ language, analyzer: 'v3' }))
    .filter(({ position, text: stem }) => words.get(position) !== stem)
    .map(({ text: stem }) => stem)
    .join(' ');
};

/**
 * Returns the stems of the words of a text in its language. A query that may be of several languages gets the stems of
 * each, and one without a sign of its language those of all with Latin letters.
 */
export const stemsIn = (text: string, use: 'text' | 'query'): readonly string[] => {
  const likely = likelyLanguages(text);
  if (use === 'text' && likely.length > 1) return [];
  const unknown = use === 'query' && likely.length === 0 ? commonWordLists.map(([language]) => language) : [];
  return [...new Set([...likely, ...unknown].map((language) => stemsOf(text, language)))].filter(
    (stems) => stems !== '',
  );
};

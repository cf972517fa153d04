import { furtherWords } from './further-words.ts';
import { stemsIn } from './stems-in.ts';
import type { TextRules } from './text-language.ts';
import { wordParts } from './word-parts.ts';

/** Returns the words beside those of an analysed text by which it is found or searched, each an entry of its own. */
export const wordsInside = (analysed: string, rules: TextRules, use: 'text' | 'query'): readonly string[] => [
  ...wordParts(analysed),
  ...(rules.analyzer === 'v3' ? furtherWords(analysed) : []),
  ...(rules.language === 'auto' ? stemsIn(analysed, use) : []),
];

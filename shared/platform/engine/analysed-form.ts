import { oneSpelling } from '../../kernel/text.ts';
import type { TextLanguage } from './text-language.ts';

/** What stands before an apostrophe in place of a whole word, as Lucene has it. */
const elided: Partial<Readonly<Record<TextLanguage, string>>> = {
  french: 'l m t qu n s j d c jusqu quoiqu lorsqu puisqu',
  italian: 'c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d',
};

// A word may begin with several of them: `j'l'aime`.
const toPattern = (words: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}_]|[\\p{L}\\p{M}\\p{N}]')(?:(?:${words.replaceAll(' ', '|')})')+(?=\\p{L})`,
    'giu',
  );

const patterns = new Map(Object.entries(elided).map(([language, words]) => [language, toPattern(words)]));

const scriptBorder =
  /(?<=[[\p{L}\p{N}]--\p{Script=Hangul}])(?=\p{Script=Hangul})|(?<=\p{Script=Hangul})(?=[[\p{L}\p{N}]--\p{Script=Hangul}])/gv;

const pairsOf = (word: string): string => {
  const syllables = Array.from(word);
  return syllables
    .slice(1)
    .map((syllable, at) => `${syllables[at]}${syllable}`)
    .join(' ');
};

/** Korean writes particles and endings onto its words; in pairs of syllables, as Lucene's CJK bigrams, words match beside them. */
const inPairs = (text: string): string => text.replace(scriptBorder, ' ').replace(/\p{Script=Hangul}{3,}/gu, pairsOf);

/**
 * A text as it is cut into words, whether it is stored or asked for: whatever is spelled the same is the same, and in
 * French and Italian a word stands without its elided article, which the tokenizer would take for a part of it, and in
 * Korean as the pairs of its syllables.
 */
export const analysedForm = (text: string, language: TextLanguage): string => {
  const spelled = oneSpelling(text);
  if (language === 'korean') return inPairs(spelled);
  const pattern = patterns.get(language);
  return pattern === undefined ? spelled : spelled.replace(pattern, '');
};

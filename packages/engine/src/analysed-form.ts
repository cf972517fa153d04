import { oneSpelling } from '../../../shared/kernel/text.ts';
import { foldedLetters } from './folded-letters.ts';
import { oneLetterForm } from './letter-forms.ts';
import type { TextLanguage, TextRules } from './text-language.ts';

/** Elided words before an apostrophe, from Lucene's lists. */
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

/**
 * Cuts Korean words into pairs of syllables, as Lucene's CJK bigrams. Korean writes particles and endings onto its
 * words, and pairs match beside them.
 */
const inPairs = (text: string): string => text.replace(scriptBorder, ' ').replace(/\p{Script=Hangul}{3,}/gu, pairsOf);

/**
 * Returns a text in the form in which the text index and queries divide it into words. Equivalent spellings become equal.
 * French and Italian words lose their elided article, because the tokenizer would take it for a part of the word.
 * Korean words become pairs of syllables.
 */
export const analysedForm = (text: string, { language, analyzer }: TextRules): string => {
  const composed = oneLetterForm(oneSpelling(text));
  const spelled = analyzer === 'v3' ? foldedLetters(composed, language) : composed;
  const pattern = patterns.get(language);
  return inPairs(pattern === undefined ? spelled : spelled.replace(pattern, ''));
};

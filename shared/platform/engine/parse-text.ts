import { headOf } from '../../kernel/text.ts';
import { analysedText, innerWords } from './searched-text.ts';
import type { TextRules } from './text-language.ts';

/** Characters of a query text that are searched. The rest is ignored. */
const maxTextLength = 2_048;
/** Quoted phrases that are read as such. Each costs a separate lookup in the index. */
const maxPhrases = 16;
/** Characters of a text that are embedded. The time of the model grows with them, and other requests wait meanwhile. */
const maxEmbeddedLength = 8_192;

/** A parsed query text, in the form in which texts are searched. */
export interface TextRequest {
  /** Words that score a row, including those in quotes and words inside words. Empty if there are none. Well-formed. */
  readonly scored: string;
  /** Phrases that a row must contain. */
  readonly required: readonly string[];
  /** Phrases that a row must not contain. */
  readonly excluded: readonly string[];
}

// A quote inside a word means inches or an apostrophe. A quote without a partner is a plain character.
const quoted = /(?<![\p{L}\p{N}])(?<minus>(?<=^|\s)-)?"(?<phrase>[^"]*)"(?![\p{L}\p{N}])/gu;

/** Parses a user's query text. `"…"` is a required phrase, `-"…"` an excluded one. All else is plain words. */
export const parseText = (text: string, rules: TextRules): TextRequest => {
  const required: string[] = [];
  const excluded: string[] = [];
  const unquote = (part: string): string =>
    part.replace(quoted, (whole: string, minus: string | undefined, phrase: string) => {
      if (phrase.trim() === '' || required.length + excluded.length >= maxPhrases) return whole;
      (minus === undefined ? required : excluded).push(phrase.trim());
      return minus === undefined ? ` ${phrase} ` : ' ';
    });
  const words = unquote(analysedText(text, rules).slice(0, maxTextLength).toWellFormed()).trim();
  return { scored: [words, ...innerWords(words, rules)].join(' '), required, excluded };
};

/**
 * Returns a text without its excluded phrases, cut to the length that a model embeds. Returns the text itself if
 * nothing else would be left.
 */
export const wantedText = (text: string): string => {
  const wanted = text.replace(quoted, (whole: string, minus: string | undefined) =>
    minus === undefined ? whole : ' ',
  );
  return headOf(wanted.trim() === '' ? text : wanted, maxEmbeddedLength);
};

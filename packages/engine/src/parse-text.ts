import { headOf } from '../../../shared/kernel/text.ts';
import { analysedText } from './searched-text.ts';
import type { TextRules } from './text-language.ts';
import { wordsInside } from './words-inside.ts';

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
  /** Those of them that are in no quotes. */
  readonly loose: string;
  /** Phrases that a row must contain. */
  readonly required: readonly string[];
  /** Phrases that a row must not contain. */
  readonly excluded: readonly string[];
}

// Scripts without spaces between words, and Korean with its particles, have letters beside quotes.
const letterOfSpaced =
  '[[\\p{L}\\p{N}]--[\\p{scx=Bopo}\\p{scx=Hang}\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Khmr}\\p{scx=Laoo}\\p{scx=Mymr}\\p{scx=Thai}]]';
// A quote inside a word means inches or an apostrophe. A quote without a partner is a plain character.
const quoted = new RegExp(`(?<!${letterOfSpaced})(?<minus>(?<=^|\\s)-)?"(?<phrase>[^"]*)"(?!${letterOfSpaced})`, 'gv');

const doubleQuotes = /[\u00AB\u00BB\u2033\u2039\u203A\u201C-\u201F\u275D\u275E\u300C-\u300F\u301D-\u301F\uFF02]/g;
// A closing single quote is an apostrophe as well, so only those around words are quotes. German opens with the low one.
const singleQuotes = new RegExp(
  `(?<!${letterOfSpaced})(?:\u2018((?:[^\u2018\u2019]|(?<=\\p{L})\u2019(?=\\p{L}))*)\u2019|\u201A([^\u2018\u201A]*)\u2018)(?!${letterOfSpaced})`,
  'gv',
);
const dashes = /(?<=^|\s)[\u2010-\u2015\u2212\uFE63\uFF0D](?=")/g;

/** Returns a query text with the quotes, and the dashes before them, that editors write, as they are on a keyboard. */
const withPlainQuotes = (text: string): string =>
  text
    .replace(doubleQuotes, '"')
    .replace(singleQuotes, (_, single = '', low = '') => `"${single}${low}"`)
    .replace(dashes, '-');

/** Reads the phrases and the words of a query text. */
const readQuery = (text: string, rules: TextRules) => {
  const required: string[] = [];
  const excluded: string[] = [];
  const outside: string[] = [];
  let end = 0;
  const unquote = (part: string): string =>
    part.replace(quoted, (whole: string, minus: string | undefined, phrase: string, at: number) => {
      if (phrase.trim() === '' || required.length + excluded.length >= maxPhrases) return whole;
      (minus === undefined ? required : excluded).push(phrase.trim());
      outside.push(part.slice(end, at));
      end = at + whole.length;
      return minus === undefined ? ` ${phrase} ` : ' ';
    });
  const plain = analysedText(withPlainQuotes(text), rules).slice(0, maxTextLength).toWellFormed();
  const words = unquote(plain).trim();
  const loose = [...outside, plain.slice(end)].join(' ').trim();
  return { words, loose, required, excluded };
};

/** Whether a query text has phrases. It needs no tokenizer, which functions without the engine lack. */
export const hasPhrases = (text: string, rules: TextRules): boolean => {
  const { required, excluded } = readQuery(text, rules);
  return required.length + excluded.length > 0;
};

/** Parses a user's query text. `"…"` is a required phrase, `-"…"` an excluded one, with quotes and dashes of any kind. */
export const parseText = (text: string, rules: TextRules): TextRequest => {
  const { words, loose, required, excluded } = readQuery(text, rules);
  const withParts = (some: string): string => [some, ...wordsInside(some, rules, 'query')].join(' ');
  return { scored: withParts(words), loose: withParts(loose), required, excluded };
};

/**
 * Returns a text without its excluded phrases, cut to the length that a model embeds. Returns the text itself if
 * nothing else would be left.
 */
export const wantedText = (text: string): string => {
  const plain = withPlainQuotes(text);
  const wanted = plain.replace(quoted, (whole: string, minus: string | undefined) =>
    minus === undefined ? whole : ' ',
  );
  return headOf(wanted === plain || wanted.trim() === '' ? text : wanted, maxEmbeddedLength);
};

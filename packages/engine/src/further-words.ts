import { analysisOf } from './lance/text-analysis.ts';
import { tokenize, tokenizeAll } from './tokenizer.ts';

/** Entries of one kind that are indexed for a text. */
const maxEntries = 1_000;
/** Characters of a word up to which the words inside it are indexed. */
const maxWord = 20;

const dictionaryRun = /[\p{Script=Han}\p{Script=Katakana}ー]{3,}/gu;
const katakana = /^[\p{Script=Katakana}ー]+$/u;

const analysis = analysisOf({ language: 'none' });

const knownWords = new Map<string, boolean>();
/** Strings whose result is kept. */
const maxKnown = 20_000;

/** Returns those strings that the dictionary of the tokenizer knows as one word. */
const wordsAmong = (strings: readonly string[]): readonly string[] => {
  if (knownWords.size >= maxKnown) knownWords.clear();
  const unknown = [...new Set(strings)].filter((one) => !knownWords.has(one));
  if (unknown.length > 0)
    for (const [at, tokens] of tokenizeAll(unknown, analysis).entries())
      knownWords.set(unknown[at] ?? '', tokens.length === 1);
  return strings.filter((one) => knownWords.get(one));
};

const pairsIn = (characters: readonly string[]): readonly string[] =>
  characters.slice(1).map((next, at) => `${characters[at]}${next}`);

/** Beginnings and ends of a loan word, of three characters and more: `データ` of `データベース`. */
const endsOf = (characters: readonly string[]): readonly string[] =>
  Array.from({ length: Math.max(0, characters.length - 3) }, (_, at) => at + 3).flatMap((size) => [
    characters.slice(0, size).join(''),
    characters.slice(-size).join(''),
  ]);

/**
 * Returns the words inside words of Chinese and Japanese, which the tokenizer takes for one: pairs of characters that are
 * words (`公司` of `有限公司`), and ends of loan words.
 */
const innerWords = (text: string): readonly string[] => {
  const runs = text.match(dictionaryRun) ?? [];
  if (runs.length === 0) return [];
  const words = new Set(tokenize(runs.join('\n'), analysis).map((token) => token.text));
  const long = [...words]
    .map((word) => Array.from(word))
    .filter(({ length }) => length >= 3 && length <= maxWord)
    .slice(0, maxEntries);
  const isLoan = (characters: readonly string[]): boolean => katakana.test(characters.join(''));
  const pairs = wordsAmong(long.filter((characters) => !isLoan(characters)).flatMap(pairsIn));
  return [...new Set([...pairs, ...long.filter(isLoan).flatMap(endsOf)])].slice(0, maxEntries);
};

const language = /(?<![\p{L}\p{M}\p{N}_])(?<letter>\p{L})(?<mark>\+\+|#)(?![\p{L}\p{N}#+])/gu;
const marks: Readonly<Record<string, string>> = { '++': 'plusplus', '#': 'sharp' };

/** Pictures, flags, currencies and other signs. Those of ASCII are punctuation of programs. */
const sign = /[[\p{Extended_Pictographic}\p{RI}\p{Sc}\p{So}\p{Sm}§¶†‡‰]--[\p{ASCII}\uFFFC\uFFFD]]/gv;

/** Returns words of letters for signs, which the tokenizer leaves out: `csharp` for `C#`, `sign1f680` for a rocket. */
const signWords = (text: string): readonly string[] => {
  const found = new Set<string>();
  for (const { groups } of text.matchAll(language))
    found.add(`${groups?.['letter']?.toLowerCase()}${marks[groups?.['mark'] ?? '']}`);
  for (const [one] of text.matchAll(sign)) {
    found.add(`sign${one.codePointAt(0)?.toString(16)}`);
    if (found.size >= maxEntries) break;
  }
  return [...found];
};

const grouped = /(?<![\p{L}\p{N}.,'’])\d{1,3}(?:[,.'’\u00A0\u202F]\d{3})+(?![\p{L}\p{N}])/gu;
const separators = /[^0-9]/g;
/** Numbers of books, telephones and parts. */
const hyphenated = /(?<![\p{L}\p{N}-])\d+(?:-\d+){2,}-?[\dX]?(?![\p{L}\p{N}-])/gu;
const minHyphenatedDigits = 9;
const dottedName = /(?<![\p{L}\p{N}.@/])\p{L}+\.\p{Ll}{2,3}(?![\p{L}\p{N}.@/])/gu;

/** Returns numbers and names in one word: `50000` for `50,000`, `nodejs` for `Node.js`. */
const joinedWords = (text: string): readonly string[] => {
  const numbers = (text.match(grouped) ?? []).map((number) => number.replace(separators, ''));
  const codes = (text.match(hyphenated) ?? [])
    .map((code) => code.replaceAll('-', ''))
    .filter(({ length }) => length >= minHyphenatedDigits);
  const names = (text.match(dottedName) ?? []).map((name) => name.replace('.', ''));
  return [...new Set([...numbers, ...codes, ...names])].slice(0, maxEntries);
};

/** Returns further words by which a text is found, each as an entry of its own. */
export const furtherWords = (text: string): readonly string[] => [
  ...innerWords(text),
  ...signWords(text),
  ...joinedWords(text),
];

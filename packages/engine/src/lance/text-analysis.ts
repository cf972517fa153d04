import { memoizePerKey } from '../../../../shared/kernel/memoize.ts';
import { languages } from '../common-words.ts';
import { foldedLetters } from '../folded-letters.ts';
import { border } from '../border.ts';
import type { Analyzer, TextLanguage, TextRules } from '../text-language.ts';
import { tokenize } from '../tokenizer.ts';

/** Settings that determine how a text is cut into terms, for the text index and for queries. */
export interface TextAnalysis {
  readonly baseTokenizer: 'icu';
  readonly language: string;
  readonly lowercase: true;
  readonly asciiFolding: true;
  /** Bytes beyond which a term is left out. */
  readonly maxTokenLength: number;
  readonly stem: boolean;
  readonly removeStopWords: boolean;
  /** Stems that are not indexed. Not readonly, because the engine declares it so. */
  readonly customStopWords: string[];
}

/** Analysis of the texts and queries of an index. */
export interface WordAnalysis extends TextAnalysis {
  /** Words with these stems, in lower case. */
  readonly commonWords: ReadonlySet<string>;
}

// The engine's own limit of 40 bytes would leave out checksums, names of programs, and long words in scripts with two
// or three bytes a letter.
const plain = { baseTokenizer: 'icu', lowercase: true, asciiFolding: true, maxTokenLength: 1_024 } as const;

// Some of the lists are so long that they contain words with a meaning. The engine has short lists of its own, which it
// does not publish: a word that the engine leaves out as well is a stop word.
const stopWordsOf = (language: string, common: readonly string[]): readonly string[] => {
  const options = { ...plain, baseTokenizer: 'simple', language, stem: false, asciiFolding: false } as const;
  const text = common.join(' ');
  const kept = new Set(tokenize(text, { ...options, removeStopWords: true }).map((token) => token.text));
  const all = tokenize(text, { ...options, removeStopWords: false });
  return all.map((token) => token.text).filter((word) => !kept.has(word));
};

// The filter of stop words compares stems.
const stemsOf = (language: string, words: readonly string[]): readonly string[] => {
  const options = { ...plain, language, stem: true, removeStopWords: false };
  const [accented, folded] = [false, true].map((asciiFolding) =>
    tokenize(words.join(' '), { ...options, asciiFolding }),
  );
  return [...new Set([...(accented ?? []), ...(folded ?? [])].map((token) => token.text))];
};

/** Returns those of `words`, in lower case, whose stem is among `stems`: the French `été` has the stem of `étée`. */
const wordsWithStems = (language: string, words: readonly string[], stems: readonly string[]): readonly string[] => {
  const options = { ...plain, baseTokenizer: 'simple', language, asciiFolding: false, removeStopWords: false } as const;
  const [plainWords, stemmed] = [false, true].map((stem) => tokenize(words.join(' '), { ...options, stem }));
  const wanted = new Set(stems);
  return (plainWords ?? []).map(({ text }) => text).filter((_, at) => wanted.has(stemmed?.[at]?.text ?? ''));
};

const makeAnalysis = (textLanguage: TextLanguage, analyzer: Analyzer): WordAnalysis => {
  const described = languages[textLanguage] !== null;
  const [language, written] = languages[textLanguage] ?? ['English', []];
  const folded = analyzer === 'v2' ? [] : written.map((word) => foldedLetters(word, textLanguage));
  const frequent = [...new Set([...written, ...folded])];
  const stopWords = described ? stemsOf(language, stopWordsOf(language, frequent)) : [];
  const commonWords = described ? wordsWithStems(language, frequent, stopWords) : [];
  // Stop words have to be listed: with this tokenizer the engine's default is the words of all its languages together,
  // which removes `war`, `die`, `hat` and `city` from English.
  // The border between parts of a text counts as a position, but not as a word.
  const customStopWords = [...stopWords, border];
  const common = { removeStopWords: true, customStopWords, commonWords: new Set(commonWords) };
  return { ...plain, language, stem: described, ...common };
};

/** Returns the stop words of a text, each once. */
export const commonWordsOf = ({ commonWords }: WordAnalysis, text: string): readonly string[] =>
  commonWords.size === 0
    ? []
    : [...new Set(text.toLowerCase().match(/[\p{L}\p{M}']+/gu))].filter((word) => commonWords.has(word));

const analysisFor = {
  v2: memoizePerKey((language: TextLanguage) => makeAnalysis(language, 'v2')),
  v3: memoizePerKey((language: TextLanguage) => makeAnalysis(language, 'v3')),
} as const;

/** Returns the analysis by text rules: words of any script are segmented by dictionary, then stemmed. */
export const analysisOf = ({ language, analyzer = 'v2' }: TextRules): WordAnalysis => analysisFor[analyzer](language);

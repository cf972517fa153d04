import { ara, dan, deu, ell, eng, fin, fra, hun, ita, nld, nob, por, ron, rus, spa, swe, tur } from 'stopword';
import { memoizePerKey } from '../../../kernel/memoize.ts';
import type { TextLanguage } from '../text-language.ts';

/** Settings that determine how a text is cut into terms, for the text index and for queries over several layers. */
export interface TextAnalysis {
  readonly baseTokenizer: 'icu';
  readonly language: string;
  readonly lowercase: true;
  readonly asciiFolding: true;
  /** Bytes beyond which a term is left out. */
  readonly maxTokenLength: number;
  readonly stem: boolean;
  readonly removeStopWords: boolean;
  /** Stems that are left out. Not readonly, because the engine declares it so. */
  readonly customStopWords: string[];
}

/** Engine's name of a language, and its frequent words. Null if words are taken unchanged. */
const languages: Readonly<Record<TextLanguage, readonly [name: string, common: readonly string[]] | null>> = {
  arabic: ['Arabic', ara],
  danish: ['Danish', dan],
  dutch: ['Dutch', nld],
  english: ['English', eng],
  finnish: ['Finnish', fin],
  french: ['French', fra],
  german: ['German', deu],
  greek: ['Greek', ell],
  hungarian: ['Hungarian', hun],
  italian: ['Italian', ita],
  korean: null,
  none: null,
  norwegian: ['Norwegian', nob],
  portuguese: ['Portuguese', por],
  romanian: ['Romanian', ron],
  russian: ['Russian', rus],
  spanish: ['Spanish', spa],
  swedish: ['Swedish', swe],
  tamil: ['Tamil', []],
  turkish: ['Turkish', tur],
};

// The engine's own limit of 40 bytes would leave out checksums, names of programs, and long words in scripts with two
// or three bytes a letter.
const plain = { baseTokenizer: 'icu', lowercase: true, asciiFolding: true, maxTokenLength: 1_024 } as const;

// Some of the lists are so long that they contain words with a meaning. The engine has short lists of its own, which it
// does not publish: a word that the engine leaves out as well is a stop word.
const stopWordsOf = async (language: string, common: readonly string[]): Promise<readonly string[]> => {
  const { tokenize } = await import('@lancedb/lancedb');
  const options = { ...plain, baseTokenizer: 'simple', language, stem: false, asciiFolding: false } as const;
  const text = common.join(' ');
  const [all, rest] = await Promise.all([
    tokenize(text, { ...options, removeStopWords: false }),
    tokenize(text, { ...options, removeStopWords: true }),
  ]);
  const kept = new Set(rest.map((token) => token.text));
  return all.map((token) => token.text).filter((word) => !kept.has(word));
};

// The filter of stop words compares stems.
const stemsOf = async (language: string, words: readonly string[]): Promise<readonly string[]> => {
  const { tokenize } = await import('@lancedb/lancedb');
  const options = { ...plain, language, stem: true, removeStopWords: false };
  const [accented, folded] = await Promise.all([
    tokenize(words.join(' '), { ...options, asciiFolding: false }),
    tokenize(words.join(' '), options),
  ]);
  return [...new Set([...accented, ...folded].map((token) => token.text))];
};

const makeAnalysis = async (textLanguage: TextLanguage): Promise<TextAnalysis> => {
  const described = languages[textLanguage] !== null;
  const [language, common] = languages[textLanguage] ?? ['English', []];
  const stopWords = described ? await stemsOf(language, await stopWordsOf(language, common)) : [];
  // Stop words have to be listed: with this tokenizer the engine's default is the words of all its languages together,
  // which removes `war`, `die`, `hat` and `city` from English.
  return { ...plain, language, stem: described, removeStopWords: described, customStopWords: [...stopWords] };
};

/** Returns the analysis for texts of a language: words of any script are segmented by dictionary, then stemmed. */
export const analysisOf = memoizePerKey(makeAnalysis);

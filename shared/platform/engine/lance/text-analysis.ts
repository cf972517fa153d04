import { ara, dan, deu, ell, eng, fin, fra, hun, ita, nld, nob, por, ron, rus, spa, swe, tur } from 'stopword';
import { memoizePerKey } from '../../../kernel/memoize.ts';
import type { TextLanguage } from '../text-language.ts';

/** How a text is cut into terms, as the text index and queries over several layers take it. */
export interface TextAnalysis {
  readonly baseTokenizer: 'icu';
  readonly language: string;
  readonly lowercase: true;
  readonly asciiFolding: true;
  /** Bytes beyond which a term is left out. */
  readonly maxTokenLength: number;
  readonly stem: boolean;
  readonly removeStopWords: boolean;
  /** Stems that are left out. Not readonly, because that is how the engine declares it. */
  readonly customStopWords: string[];
}

/** A language by the engine's name, and words of it that say little; null where words are taken as they stand. */
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

// The engine's own limit of 40 bytes takes out checksums, names of programs and long words of scripts with two or three
// bytes a letter.
const plain = { baseTokenizer: 'icu', lowercase: true, asciiFolding: true, maxTokenLength: 1_024 } as const;

// Some of the lists are so long that they hold words with a meaning. The engine has short lists of its own, which it does
// not show: what it takes out as well is a stop word.
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

// The filter of stop words looks at stems.
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
  // Stop words have to be named: with this tokenizer the engine's default is the words of all its languages together,
  // which takes `war`, `die`, `hat` and `city` out of English.
  return { ...plain, language, stem: described, removeStopWords: described, customStopWords: [...stopWords] };
};

/** The analysis for texts of a language: words of any script are cut apart by dictionary, then stemmed. */
export const analysisOf = memoizePerKey(makeAnalysis);

import { lazy } from '../../../shared/kernel/memoize.ts';
import { commonWordLists } from './common-words.ts';
import questionWordLists from './question-words.json' with { type: 'json' };
import type { TextLanguage } from './text-language.ts';

/** Characters of a text that are read. */
const maxLength = 4_000;

/** Scripts that one language of the list writes. Letters of other languages in the same script speak against it. */
const scripts: readonly (readonly [language: TextLanguage, script: RegExp, others: RegExp | null])[] = [
  ['arabic', /\p{Script=Arabic}/gu, /[پچژگټډړښیکں]/u],
  ['greek', /\p{Script=Greek}/gu, null],
  ['korean', /\p{Script=Hangul}/gu, null],
  ['russian', /\p{Script=Cyrillic}/gu, /[іїєґўјљњћђџқғүұһө]/iu],
  ['tamil', /\p{Script=Tamil}/gu, null],
];

/** Words of questions, which the lists of frequent words lack. */
const questionWords: Partial<Readonly<Record<string, readonly string[]>>> = questionWordLists;

/** Letters of languages without a stemmer: Vietnamese, Polish, Czech, Slovak, Latvian, Lithuanian. */
const otherLatin = /[ơư\u1EA0-\u1EF9ąćęłńśźżěčřůťďňļķņģēūįųė]/giu;
const minOtherLatin = 2;

/** For each frequent word of a language of Latin letters, the languages that have it. */
const languagesByWord = lazy((): ReadonlyMap<string, readonly TextLanguage[]> => {
  const found = new Map<string, TextLanguage[]>();
  const scripted = new Set(scripts.map(([language]) => language));
  for (const [language, words] of commonWordLists.filter(([one]) => !scripted.has(one)))
    for (const word of new Set([...words, ...(questionWords[language] ?? [])]))
      found.set(word, [...(found.get(word) ?? []), language]);
  return found;
});

/** Languages of a text by the evidence for each, the best first. A word that several languages have counts less. */
const byEvidence = (text: string): readonly (readonly [language: TextLanguage, evidence: number])[] => {
  const evidence = new Map<TextLanguage, number>();
  for (const word of text.toLowerCase().match(/\p{Script=Latin}[\p{Script=Latin}\p{M}']*/gu) ?? []) {
    const languages = languagesByWord().get(word) ?? [];
    for (const language of languages) evidence.set(language, (evidence.get(language) ?? 0) + 1 / languages.length);
  }
  return [...evidence].toSorted((left, right) => right[1] - left[1]);
};

/** Evidence that makes one language certain, and how many times that of the next one it is. */
const [minEvidence, minLead] = [1, 1.5];

const detectScript = (text: string): TextLanguage | null => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [language, script, others] of scripts)
    if (2 * (text.match(script)?.length ?? 0) > letters) return others?.test(text) ? 'none' : language;
  const isLatin = 2 * (text.match(/\p{Script=Latin}/gu)?.length ?? 0) > letters;
  const isOther = (text.match(otherLatin)?.length ?? 0) >= minOtherLatin;
  return isLatin && !isOther ? null : 'none';
};

/**
 * Returns the languages in which a text may be written, the most likely first: one if it is certain. `none` is any
 * language without a stemmer. Empty: nothing speaks for one.
 */
export const likelyLanguages = (text: string): readonly TextLanguage[] => {
  const head = text.slice(0, maxLength);
  if (!/\p{L}/u.test(head)) return [];
  const byScript = detectScript(head);
  if (byScript !== null) return [byScript];
  const [best, ...others] = byEvidence(head);
  if (best === undefined) return [];
  const isCertain = best[1] >= minEvidence && best[1] >= minLead * (others[0]?.[1] ?? 0);
  return isCertain ? [best[0]] : [best, ...others].slice(0, 3).map(([language]) => language);
};

/** Returns the language of a text if it is certain; else null. */
export const certainLanguage = (text: string): TextLanguage | null => {
  const [language, other] = likelyLanguages(text);
  return other === undefined ? (language ?? null) : null;
};

import { ara, dan, deu, ell, eng, fin, fra, hun, ita, nld, nob, por, ron, rus, spa, swe, tur } from 'stopword';
import type { TextLanguage } from './text-language.ts';

/** Engine's name of a language, and its frequent words. Null if words are taken unchanged. */
export const languages: Readonly<Record<TextLanguage, readonly [name: string, common: readonly string[]] | null>> = {
  arabic: ['Arabic', ara],
  auto: null,
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

/** The frequent words of each language that has a stemmer. */
export const commonWordLists: readonly (readonly [language: TextLanguage, words: readonly string[]])[] = Object.entries(
  languages,
  // Cast: the keys are languages.
).flatMap(([language, described]) => (described === null ? [] : [[language as TextLanguage, described[1]] as const]));

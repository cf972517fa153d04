import { headOf } from '../../kernel/text.ts';
import { analysedForm } from './analysed-form.ts';
import type { TextLanguage } from './text-language.ts';

/** Characters of a text that are searched; what stands behind them is ignored. */
const maxTextLength = 2_048;
/** Quoted parts of a text that are read as such; each costs a look into the index of its own. */
const maxPhrases = 16;
/** Characters of a text that are embedded: the time that a model takes grows with them, and others wait for it meanwhile. */
const maxEmbeddedLength = 8_192;

/** What the text of a search asks for, in the form in which texts are searched. */
export interface TextRequest {
  /** The words that score a row, those in quotes included; empty where there are none. Well-formed. */
  readonly scored: string;
  /** Phrases that a row has to hold. */
  readonly required: readonly string[];
  /** Phrases that a row may not hold. */
  readonly excluded: readonly string[];
}

// A quote inside a word is a sign of inches or an apostrophe; one without a partner is just a character.
const quoted = /(?<![\p{L}\p{N}])(?<minus>(?<=^|\s)-)?"(?<phrase>[^"]*)"(?![\p{L}\p{N}])/gu;

/**
 * Reads a user's text: `"…"` is a phrase that has to occur, `-"…"` one that must not. All else is plain words.
 */
export const parseText = (text: string, language: TextLanguage): TextRequest => {
  const required: string[] = [];
  const excluded: string[] = [];
  const unquote = (part: string): string =>
    part.replace(quoted, (whole: string, minus: string | undefined, phrase: string) => {
      if (phrase.trim() === '' || required.length + excluded.length >= maxPhrases) return whole;
      (minus === undefined ? required : excluded).push(phrase.trim());
      return minus === undefined ? ` ${phrase} ` : ' ';
    });
  const scored = unquote(analysedForm(text, language).slice(0, maxTextLength).toWellFormed()).trim();
  return { scored, required, excluded };
};

/** A text without what it excludes, as far as a model should embed it; the text itself where nothing else would be left. */
export const wantedText = (text: string): string => {
  const wanted = text.replace(quoted, (whole: string, minus: string | undefined) =>
    minus === undefined ? whole : ' ',
  );
  return headOf(wanted.trim() === '' ? text : wanted, maxEmbeddedLength);
};

import { analysedForm } from './analysed-form.ts';
import type { TextLanguage } from './text-language.ts';

/**
 * Word between the parts of a searched text, so that no phrase spans two of them. It consists of letters of Linear A,
 * and is removed from texts and queries.
 */
const border = '\u{10600}\u{10601}\u{10600}';
const borderLine = `\n${border}\n`;

/** Returns the form of a row's text that the text index searches: its words, and behind them those of its headings. */
export const searchedText = (text: string, headings: readonly string[], language: TextLanguage): string =>
  [text, ...headings].map((part) => analysedForm(part.replaceAll(border, ' '), language)).join(borderLine);

/** Returns the part of a searched text that consists of the words of the row's own text. */
export const ownPartOf = (searched: string): string => {
  const at = searched.indexOf(borderLine);
  return at === -1 ? searched : searched.slice(0, at);
};

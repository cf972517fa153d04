import { analysedForm } from './analysed-form.ts';
import { border } from './border.ts';
import type { TextRules } from './text-language.ts';
import { wordsInside } from './words-inside.ts';

// A stop word in a phrase matches any word, so one border would not suffice.
const borderLine = `\n${border} ${border} ${border}\n`;

/** Returns a text in the form in which it is divided into words. */
export const analysedText = (text: string, rules: TextRules): string =>
  analysedForm(text.replaceAll(border, ' '), rules);

/**
 * Returns the form of a row's text that the text index searches: the analysed text, and behind it the words inside its
 * words and the headings.
 */
export const searchedText = (text: string, headings: readonly string[], rules: TextRules): string =>
  [text, ...headings]
    .map((part) => analysedText(part, rules))
    .flatMap((part) => [part, ...wordsInside(part, rules, 'text')])
    .join(borderLine);

/** Returns the part of a searched text that is the analysed text of the row. */
export const ownPartOf = (searched: string): string => {
  const at = searched.indexOf(`\n${border}`);
  return at === -1 ? searched : searched.slice(0, at);
};

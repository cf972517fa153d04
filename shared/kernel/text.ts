/** Returns the first code points of a text. A lone surrogate becomes U+FFFD, which every receiver can read. */
export const headOf = (text: string, codePoints: number): string =>
  // A code point takes at most two code units, so the slice contains one more than requested, if the text has it.
  Array.from(text.slice(0, 2 * codePoints + 1))
    .slice(0, codePoints)
    .join('')
    .toWellFormed();

/** Returns a text in one line, with single spaces between words. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

// Invisible characters that break no word, such as soft hyphens and joiners.
// A zero-width space (U+200B) separates words in scripts without other separators. Between cased letters it only allows
// a line break.
const ignorable = /[^\P{Default_Ignorable_Code_Point}\u200B]+/gu;
const innerSpace = /\u200B+(?<=\p{LC}\p{M}*\u200B+)(?=\p{LC})/gu;
const innerApostrophe = /[\u2018\u2019\u02BC\uFF07](?<=[\p{L}\p{M}].)(?=\p{L})/gu;

/**
 * Normalizes a text: accents composed (NFC), no invisible characters, and one kind of apostrophe within words.
 * Takes up to 10 µs for 1,000 characters.
 */
export const oneSpelling = (text: string): string =>
  text.replace(ignorable, '').normalize('NFC').replace(innerSpace, '').replace(innerApostrophe, "'");

/** Returns a name in a form that depends neither on its case nor on the composition of its accents. */
export const foldedName = (name: string): string => name.toLowerCase().normalize('NFC');

/** Returns a text with a capital first letter. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the number of code points of a text. */
export const lengthOf = (text: string): number => Array.from(text).length;

/** Converts kebab-case to camelCase. */
export const toCamelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Converts kebab-case or snake_case to PascalCase. */
export const toPascalCase = (name: string): string =>
  name.replace(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Characters of a name that hide or reorder the text around it. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
export const controlOrDirection = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

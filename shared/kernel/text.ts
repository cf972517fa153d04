/** The first code points of a text; a lone half of a surrogate pair becomes U+FFFD, which every receiver can read. */
export const headOf = (text: string, codePoints: number): string =>
  // A code point takes at most two code units, so the slice holds at least one more than asked for, if there is one.
  Array.from(text.slice(0, 2 * codePoints + 1))
    .slice(0, codePoints)
    .join('')
    .toWellFormed();

/** A text in one line, with single blanks between its words. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Number of code points of a text. */
export const lengthOf = (text: string): number => Array.from(text).length;

/** A name in kebab-case as one in camelCase. */
export const toCamelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

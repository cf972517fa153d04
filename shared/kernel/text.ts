/** The first code points of a text; a lone half of a surrogate pair becomes U+FFFD, which every receiver can read. */
export const headOf = (text: string, codePoints: number): string =>
  // A code point takes at most two code units, so the slice holds at least one more than asked for, if there is one.
  Array.from(text.slice(0, 2 * codePoints + 1))
    .slice(0, codePoints)
    .join('')
    .toWellFormed();

/** A text in one line, with single blanks between its words. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

// Those that break no word, such as soft hyphens and joiners. A space of no width (U+200B) separates words where a script
// has no others; between letters with case it only says where a line may end.
const ignorable = /[^\P{Default_Ignorable_Code_Point}\u200B]+/gu;
const innerSpace = /\u200B+(?<=\p{LC}\p{M}*\u200B+)(?=\p{LC})/gu;
const innerApostrophe = /[\u2018\u2019\u02BC\uFF07](?<=[\p{L}\p{M}].)(?=\p{L})/gu;

/**
 * A text in the one spelling of all that look alike: accents joined with their letters (NFC), without invisible characters,
 * and with one kind of apostrophe within words. Up to 10 µs for 1,000 characters.
 */
export const oneSpelling = (text: string): string =>
  text.replace(ignorable, '').normalize('NFC').replace(innerSpace, '').replace(innerApostrophe, "'");

/** Number of code points of a text. */
export const lengthOf = (text: string): number => Array.from(text).length;

/** A name in kebab-case as one in camelCase. */
export const toCamelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A name in kebab-case or snake_case as one in PascalCase. */
export const toPascalCase = (name: string): string =>
  name.replace(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase());

import type { Json } from '../../../kernel/json.ts';
import { maxDepth, endOfString } from '../../../kernel/json-text.ts';

const isOfNumber = (letter: string | undefined): boolean =>
  letter !== undefined && ((letter >= '0' && letter <= '9') || '-+.eE'.includes(letter));

/** Where the number ends that begins at `start`. */
const endOfNumber = (text: string, start: number): number => {
  let at = start + 1;
  while (isOfNumber(text[at])) at += 1;
  return at;
};

const minUnsafeDigits = 16;
const integer = /^-?\d+$/;

const isUnsafe = (number: string): boolean =>
  number.length >= minUnsafeDigits && integer.test(number) && !Number.isSafeInteger(Number(number));

/** Values of one page: more take gigabytes, and no list of so many items is read in one step. */
const maxValues = 2_000_000;

/** JSON of more values or levels than any page may have. */
export class TooManyValues extends Error {}

/** The same JSON with integers that a number does not hold exactly in quotes. */
const quoteUnsafe = (text: string): string => {
  const parts: string[] = [];
  let from = 0;
  let [values, level] = [0, 0];
  for (let at = 0; at < text.length;) {
    const letter = text[at];
    if (letter === '"') at = endOfString(text, at);
    else if (letter === '-' || (letter !== undefined && letter >= '0' && letter <= '9')) {
      const end = endOfNumber(text, at);
      const number = text.slice(at, end);
      if (isUnsafe(number)) {
        parts.push(text.slice(from, at), `"${number}"`);
        from = end;
      }
      at = end;
    } else {
      if (letter === '[' || letter === '{' || letter === ',') values += 1;
      if (letter === '[' || letter === '{') level += 1;
      else if (letter === ']' || letter === '}') level -= 1;
      if (values > maxValues || level > maxDepth) throw new TooManyValues();
      at += 1;
    }
  }
  return from === 0 ? text : parts.join('') + text.slice(from);
};

/**
 * JSON of which integers beyond 2^53 become their digits as text: two ids that differ stay two, and a cursor is sent back as
 * it came. A reviver would see them as well, but takes half a minute for a long list of small numbers. Throws `TooManyValues` before it parses.
 */
export const parseExactly = (text: string): Json => JSON.parse(quoteUnsafe(text)) as Json;

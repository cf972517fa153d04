import type { Json } from '../../../kernel/json.ts';
import { maxDepth, endOfString } from '../../../kernel/json-text.ts';

const isOfNumber = (letter: string | undefined): boolean =>
  letter !== undefined && ((letter >= '0' && letter <= '9') || '-+.eE'.includes(letter));

/** Returns the end of the number at `start`. */
const endOfNumber = (text: string, start: number): number => {
  let at = start + 1;
  while (isOfNumber(text[at])) at += 1;
  return at;
};

const minUnsafeDigits = 16;
const integer = /^-?\d+$/;

const isUnsafe = (number: string): boolean =>
  number.length >= minUnsafeDigits && integer.test(number) && !Number.isSafeInteger(Number(number));

/** Maximum values of one page: more take gigabytes, and no step reads a list of so many items. */
const maxValues = 2_000_000;

/** JSON with more values or levels than a page may have. */
export class TooManyValues extends Error {}

/** Puts integers in quotes that a number cannot represent exactly. */
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
 * Parses JSON; integers beyond 2^53 become strings. Distinct ids stay distinct, and cursors are sent back unchanged.
 * A reviver could do the same, but takes half a minute for a long list of small numbers. Throws `TooManyValues` before
 * parsing.
 */
export const parseExactly = (text: string): Json => JSON.parse(quoteUnsafe(text)) as Json;

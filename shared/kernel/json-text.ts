import { isObject } from './json.ts';

/** Levels of lists and objects within each other; metadata and filters stay far below. */
export const maxDepth = 100;

/** Longer texts are not searched for the place of their mistake: every step parses the text anew. */
const maxSearchedLength = 1_000_000;

/** A place in a text that JSON.parse takes but that does not mean the same to every reader. */
export interface JsonFlaw {
  /** Of the character in the text, from zero. */
  readonly position: number;
  readonly what: string;
}

/** Returns a function from positions in a text, in ascending order, to the words `line 2 column 5`. */
export const openPlaces = (text: string): ((position: number) => string) => {
  let [line, start, lineBreak] = [1, 0, text.indexOf('\n')];
  return (position) => {
    while (lineBreak !== -1 && lineBreak < position) {
      [line, start] = [line + 1, lineBreak + 1];
      lineBreak = text.indexOf('\n', start);
    }
    return `line ${line} column ${position - start + 1}`;
  };
};

interface Token {
  readonly position: number;
  /** A bracket, or a string with its quotes. */
  readonly literal: string;
  readonly isKey: boolean;
}

/** Past the quote that ends the string that begins at `start`. */
// Strings may be megabytes, of base64 or of escapes, of which a regular expression could not hold all.
export const endOfString = (text: string, start: number): number => {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escape = quote;
    while (text[escape - 1] === '\\') escape -= 1;
    if ((quote - escape) % 2 === 0) return quote + 1;
  }
  return text.length;
};

const tokensOf = function* (text: string): Generator<Token> {
  const mark = /["{}[\]]/g;
  const colon = /\s*:/y;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const { 0: bracket, index: position } = found;
    if (bracket === '"') {
      const end = endOfString(text, position);
      colon.lastIndex = end;
      mark.lastIndex = end;
      yield { position, literal: text.slice(position, end), isKey: colon.test(text) };
    } else {
      yield { position, literal: bracket, isKey: false };
    }
  }
};

const tooDeep = (position: number, levels: number): JsonFlaw => ({
  position,
  what: `nested deeper than ${levels} levels`,
});

/**
 * What is wrong with a text that is valid JSON: keys that an object repeats (parsers differ in which one counts), strings
 * that are no Unicode text, and nesting beyond so many levels, of which only the first is told. Told one by one, since a
 * text may have a flaw in every few bytes. Source: RFC 8259, 4, 8.2, 9.
 */
export const jsonFlaws = function* (text: string, maxLevels = maxDepth): Generator<JsonFlaw> {
  // Of each object the keys so far, none before the first; of a list null.
  const open: (Set<string> | 'empty' | null)[] = [];
  for (const { position, literal, isKey } of tokensOf(text)) {
    if (literal === '{' || literal === '[') {
      open.push(literal === '{' ? 'empty' : null);
      if (open.length > maxLevels) {
        yield tooDeep(position, maxLevels);
        return;
      }
    } else if (literal === '}' || literal === ']') {
      open.pop();
    } else {
      const escaped = literal.includes('\\');
      if (!isKey && !escaped) continue;
      const value = escaped ? (JSON.parse(literal) as string) : literal.slice(1, -1);
      if (!value.isWellFormed()) yield { position, what: 'lone surrogate in a string' };
      const known = open.at(-1);
      if (!isKey || known == null) continue;
      const keys = known === 'empty' ? new Set<string>() : known;
      if (known === 'empty') open[open.length - 1] = keys;
      if (keys.has(value)) yield { position, what: 'repeated key' };
      keys.add(value);
    }
  }
};

/**
 * Returns why a text must not be parsed; null if it may. `too_many`: it has more than `max` objects and lists, which take a
 * hundred times their length in memory. A flaw: it has too many levels. Reads no further than to the first beyond a bound.
 */
export const parseRefusal = (text: string, max: number): JsonFlaw | 'too_many' | null => {
  // The shortest of them are `{}` and `[]`.
  if (text.length <= 2 * max) return null;
  let [count, levels] = [0, 0];
  for (const { position, literal } of tokensOf(text)) {
    if (literal === '}' || literal === ']') levels -= 1;
    if (literal !== '{' && literal !== '[') continue;
    [count, levels] = [count + 1, levels + 1];
    if (levels > maxDepth) return tooDeep(position, maxDepth);
    if (count > max) return 'too_many';
  }
  return null;
};

/** Says that a key is not allowed, of the two that `forbiddenKeyIn` tells. */
export const keyNotAllowed = (key: string): string => {
  const name = key === 'constructor' ? "'prototype' within 'constructor'" : `'${key}'`;
  return `the key ${name} is not allowed`;
};

const isForbidden = (key: string, value: unknown): boolean =>
  key === '__proto__' || (key === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype'));

const findForbidden = (parsed: unknown): string | null => {
  if (typeof parsed !== 'object' || parsed === null) return null;
  if (Array.isArray(parsed)) {
    for (const value of parsed) {
      const key = findForbidden(value);
      if (key !== null) return key;
    }
    return null;
  }
  for (const [name, value] of Object.entries(parsed)) {
    const key = isForbidden(name, value) ? name : findForbidden(value);
    if (key !== null) return key;
  }
  return null;
};

/**
 * The first key of a text without flaws, and of what was parsed from it, that code which copies objects can end up using
 * to change what all objects have in common; null where there is none.
 */
export const forbiddenKeyIn = (text: string, parsed: unknown): string | null =>
  // Thousands of numbers are not looked at one by one where no such key is written, be it as escapes.
  text.includes('proto') || text.includes('\\u') ? findForbidden(parsed) : null;

/** Whether a text is JSON, however deep it is nested. */
export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Where JSON.parse gave up, its length where the text just ended; null where the message does not tell. */
const reportedPosition = (text: string): number | null => {
  try {
    JSON.parse(text);
    return text.length;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const told = /at position (\d+)/.exec(message)?.[1];
    if (told !== undefined) return Number(told);
    return message.startsWith('Unexpected end') ? text.length : null;
  }
};

/**
 * Position of the first character because of which a text is no JSON; its length where it ends too early. JSON.parse does
 * not always tell: the longest beginning that only lacks an end is searched for by halves.
 */
export const jsonMistakeAt = (text: string): number => {
  const told = reportedPosition(text);
  if (told !== null || text.length > maxSearchedLength) return told ?? 0;
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (reportedPosition(text.slice(0, middle)) === middle) good = middle;
    else bad = middle;
  }
  return good;
};

import { isObject } from './json.ts';

/** Maximum nesting of lists and objects; metadata and filters stay far below. */
export const maxDepth = 100;

/** Maximum length of a text that is searched for a syntax error: every step parses the text again. */
const maxSearchedLength = 1_000_000;

/** A flaw of a text that JSON.parse accepts but that readers interpret differently. */
export interface JsonFlaw {
  /** Position of the character, from zero. */
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

/** Returns the position after the quote that ends the string at `start`. */
// A string may be megabytes of base64 or escapes, which overflow a regular expression.
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
 * Yields flaws of a valid JSON text: repeated keys of an object, strings that are no valid Unicode, and too deep
 * nesting.
 * Parsers differ in which repeated key they use. Of too deep nesting only the first is reported.
 * Flaws are yielded one by one, since a text may have one in every few bytes. Source: RFC 8259, 4, 8.2, 9.
 */
export const jsonFlaws = function* (text: string, maxLevels = maxDepth): Generator<JsonFlaw> {
  // Keys of each open object so far, `empty` before the first; null for a list.
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

/** Maximum numbers of elements of a JSON text. An element takes up to a hundred times its length in memory. */
export interface ElementLimits {
  /** Objects and lists. */
  readonly containers: number;
  /** Keys of all objects together. */
  readonly keys: number;
  readonly keysOfObject: number;
}

/**
 * Returns why a text must not be parsed; null if it may: a flaw if it is nested too deeply, or the name of an exceeded limit.
 * Scanning stops at the first violation.
 */
export const parseRefusal = (text: string, limits: ElementLimits): JsonFlaw | keyof ElementLimits | null => {
  // The shortest containers are `{}` and `[]`, and the shortest entry is `"":0,`.
  if (text.length <= Math.min(2 * limits.containers, 5 * limits.keysOfObject)) return null;
  let [containers, keys] = [0, 0];
  // Keys of each open object or list.
  const open: number[] = [];
  for (const { position, literal, isKey } of tokensOf(text)) {
    if (literal === '}' || literal === ']') open.pop();
    else if (literal === '{' || literal === '[') {
      containers += 1;
      open.push(0);
      if (open.length > maxDepth) return tooDeep(position, maxDepth);
      if (containers > limits.containers) return 'containers';
    } else if (isKey) {
      keys += 1;
      const own = (open.pop() ?? 0) + 1;
      open.push(own);
      if (own > limits.keysOfObject) return 'keysOfObject';
      if (keys > limits.keys) return 'keys';
    }
  }
  return null;
};

/** Returns the message for a key that `forbiddenKeyIn` returned. */
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

/** Returns the first key that could lead to prototype pollution; null if there is none. The text must have no flaws. */
export const forbiddenKeyIn = (text: string, parsed: unknown): string | null =>
  // Values are searched only if the text contains such a key, possibly as escapes.
  text.includes('proto') || text.includes('\\u') ? findForbidden(parsed) : null;

/** Whether a text is JSON, of any depth. */
export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * Returns the position that JSON.parse reports; the length if the text ended too early. Null if the message has no
 * position.
 */
const reportedPosition = (text: string): number | null => {
  try {
    JSON.parse(text);
    return text.length;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const reported = /at position (\d+)/.exec(message)?.[1];
    if (reported !== undefined) return Number(reported);
    return message.startsWith('Unexpected end') ? text.length : null;
  }
};

/**
 * Returns the position of the first invalid character; the length if the text ends too early.
 * If JSON.parse reports no position, a binary search finds the longest valid beginning.
 */
export const jsonMistakeAt = (text: string): number => {
  const reported = reportedPosition(text);
  if (reported !== null || text.length > maxSearchedLength) return reported ?? 0;
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (reportedPosition(text.slice(0, middle)) === middle) good = middle;
    else bad = middle;
  }
  return good;
};

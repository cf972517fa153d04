import { hash } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '../../../shared/kernel/json.ts';
import { instantOf } from './instant.ts';

/** A value that metadata can be compared with. */
export type FilterValue = string | number | boolean | null | JsonObject;

const toText = (text: string): string => JSON.stringify(text);

/**
 * Returns JSON that is equal for equal values: the members of objects are sorted.
 * @param encode Encodes a string.
 */
export const canonicalJson = (value: Json, encode = toText): string => {
  if (typeof value === 'string') return encode(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalJson(item, encode)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([key, member]) => `${toText(key)}:${canonicalJson(member, encode)}`).join(',')}}`;
};

/** Returns the start of the value tokens of a key, up to the quote before a text or an instant. */
const startOf = (key: string, mark: '' | '@'): string => `[${JSON.stringify(key)},${mark}`;

/** Encodes a text as JSON, and a time as its instant behind a mark that no JSON has. */
const toComparable = (text: string): string => {
  const instant = instantOf(text);
  return instant === null ? toText(text) : `@"${instant}"`;
};

/** Longer tokens, in characters, are replaced by their digest, which keeps indexes and queries small. */
const maxTokenLength = 120;

// A literal token starts with a bracket, so a digest can never equal one.
const shorten = (token: string): string =>
  token.length <= maxTokenLength ? token : `#${hash('sha256', token, 'base64url')}`;

/** Returns the `kv` token that marks that a row's metadata has a key or path. It is also its name in `num_keys`. */
export const keyToken = (key: string): string => shorten(JSON.stringify([key]));

/** Returns JSON that is equal for values that filters take as equal. */
export const comparableJson = (value: Json): string => canonicalJson(value, toComparable);

/** Returns the token of a text as it is written, which ranges of texts compare. */
const writtenToken = (key: string, text: string): string => shorten(`${startOf(key, '')}${toText(text)}]`);

/** Returns the token of an instant. It is never shortened, because ranges compare its digits. */
const instantToken = (key: string, instant: string): string => `${startOf(key, '@')}"${instant}"]`;

/**
 * Returns the `kv` token that marks that a key has a value, or a list with that value. The type is part of it. Times
 * with an offset have the token of their instant.
 */
export const valueToken = (key: string, value: FilterValue): string => {
  const instant = typeof value === 'string' ? instantOf(value) : null;
  return instant === null ? shorten(`${startOf(key, '')}${comparableJson(value)}]`) : instantToken(key, instant);
};

/** Returns the tokens that a row has for a value. A time has that of its text too. */
export const valueTokens = (key: string, value: FilterValue): readonly string[] => {
  if (typeof value !== 'string') return [valueToken(key, value)];
  const instant = instantOf(value);
  const written = writtenToken(key, value);
  return instant === null ? [written] : [instantToken(key, instant), written];
};

/** Comparison by order. */
export type Comparison = '>' | '>=' | '<' | '<=';

/** Compares a number with a bound. */
export const comparisons: Readonly<Record<Comparison, (value: number, bound: number) => boolean>> = {
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
};

const quoteCode = 0x22;
const lastCode = 0x10ffff;

const literal = (text: string): string =>
  Array.from(text, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join('');

/** Returns a class of the code points of a range, without surrogates. A token contains none below the space. */
const between = (first: number, last: number): string => {
  const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;
  const from = isSurrogate(first) ? 0xe000 : first;
  const to = isSurrogate(last) ? 0xd7ff : last;
  return from > to ? '' : `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`;
};

/** Returns the class of what may differ from a character in a text above or below. The quote at the end is the lowest. */
const apart = (character: string, above: boolean): string => {
  const code = character.codePointAt(0) ?? 0;
  if (!above) return `${literal('"')}${between(0x20, code - 1)}`;
  return between(code + 1, quoteCode - 1) + between(Math.max(code, quoteCode) + 1, lastCode);
};

/**
 * Returns a pattern of the value tokens in a range, for one token or for several in lines. A time as bound matches times
 * by their instants. Another text matches texts in order of code points.
 * The syntax is common to JavaScript and to the engine. It works on stored tokens, so no row needs a column
 * for it. A quote, backslash or control character of a token counts as a backslash, since tokens are JSON.
 * @param bound Without these characters.
 */
export const textRange = (key: string, comparison: Comparison, bound: string): RegExp => {
  const above = comparison.startsWith('>');
  const ends = { '>': '[^\\u{22}]', '>=': '', '<': null, '<=': '\\u{22}' } as const;
  const instant = instantOf(bound);
  let pattern: string | null = ends[comparison];
  for (const character of Array.from(instant ?? bound).toReversed()) {
    const others = apart(character, above);
    const branches = [
      ...(others === '' ? [] : [`[${others}]`]),
      ...(pattern === null ? [] : [literal(character) + pattern]),
    ];
    pattern = `(?:${branches.join('|')})`;
  }
  const start = `${startOf(key, instant === null ? '' : '@')}"`;
  return new RegExp(`(?:^|\\u{a})${literal(start)}${pattern ?? ''}`, 'u');
};

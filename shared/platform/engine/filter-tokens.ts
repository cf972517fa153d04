import { hash } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';

/** A value that metadata can be compared with. */
export type FilterValue = string | number | boolean | null | JsonObject;

/** Returns JSON that is equal for equal values: the members of objects are sorted. */
export const canonicalJson = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
};

/** Longer tokens, in characters, are replaced by their digest, which keeps indexes and queries small. */
const maxTokenLength = 120;

// A literal token starts with a bracket, so a digest can never equal one.
const shorten = (token: string): string =>
  token.length <= maxTokenLength ? token : `#${hash('sha256', token, 'base64url')}`;

/** Returns the `kv` token that marks that a row's metadata has a key or path. It is also its name in `num_keys`. */
export const keyToken = (key: string): string => shorten(JSON.stringify([key]));

/** Returns the `kv` token that marks that a key has a value, or a list with that value. The type is part of it. */
export const valueToken = (key: string, value: FilterValue): string =>
  shorten(`[${JSON.stringify(key)},${canonicalJson(value)}]`);

/** Comparison by order. */
export type Comparison = '>' | '>=' | '<' | '<=';

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
 * Returns a pattern of the value tokens whose text is in a range, in order of code points, for one token or for several
 * in lines. The syntax is common to JavaScript and to the engine. It works on stored tokens, so no row needs a column
 * for it. A quote, backslash or control character of a token counts as a backslash, since tokens are JSON.
 * @param bound Without these characters.
 */
export const textRange = (key: string, comparison: Comparison, bound: string): RegExp => {
  const above = comparison.startsWith('>');
  const ends = { '>': '[^\\u{22}]', '>=': '', '<': null, '<=': '\\u{22}' } as const;
  let pattern: string | null = ends[comparison];
  for (const character of Array.from(bound).toReversed()) {
    const others = apart(character, above);
    const branches = [
      ...(others === '' ? [] : [`[${others}]`]),
      ...(pattern === null ? [] : [literal(character) + pattern]),
    ];
    pattern = `(?:${branches.join('|')})`;
  }
  const start = JSON.stringify([key, '']).slice(0, -2);
  return new RegExp(`(?:^|\\u{a})${literal(start)}${pattern ?? ''}`, 'u');
};

import { maxDepth, endOfString, isJson } from './json-text.ts';

/** So many of one text are told of. */
const maxPaths = 100;

/** The text with a number of JSON that is read as infinite in place of each bare NaN, Infinity and -Infinity. */
const withInfinities = (text: string): string => {
  // A quote begins a string, in which they are words like any.
  const mark = /"|(?<![\w.+-])(?:NaN|-?Infinity)(?![\w.])/g;
  const parts: string[] = [];
  let from = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '"') {
      mark.lastIndex = endOfString(text, found.index);
    } else {
      parts.push(text.slice(from, found.index), '1e999');
      from = mark.lastIndex;
    }
  }
  return [...parts, text.slice(from)].join('');
};

type Path = readonly (string | number)[];

const infinitePaths = function* (value: unknown, path: Path = []): Generator<Path> {
  if (typeof value === 'number' && !Number.isFinite(value)) yield path;
  if (typeof value !== 'object' || value === null || path.length === maxDepth) return;
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, inner] of entries) yield* infinitePaths(inner, [...path, key]);
};

/** What a text would be but for numbers that JSON has no words for. */
interface NonFinite {
  /** With infinite numbers in their places. */
  readonly value: unknown;
  /** Where they are; the first hundred. */
  readonly paths: readonly Path[];
}

/** Reads a text that is no JSON, as Python writes it by default; null where NaN and infinities are not all that is wrong. */
export const readNonFinite = (text: string): NonFinite | null => {
  const replaced = withInfinities(text);
  if (!isJson(replaced)) return null;
  const value: unknown = JSON.parse(replaced);
  return { value, paths: infinitePaths(value).take(maxPaths).toArray() };
};

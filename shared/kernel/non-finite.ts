import { maxDepth, endOfString, isJson } from './json-text.ts';

/** Maximum number of paths that are reported for one text. */
const maxPaths = 100;

/** Replaces each bare NaN, Infinity and -Infinity by a number that parses as infinite. */
const withInfinities = (text: string): string => {
  // Inside a string these are ordinary words.
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

/** Content of a text whose only flaws are non-finite numbers. */
interface NonFinite {
  /** Parsed value with infinite numbers in their places. */
  readonly value: unknown;
  /** Paths of the first hundred. */
  readonly paths: readonly Path[];
}

/** Parses JSON with NaN and infinities, as Python writes by default. Null if the text has other errors. */
export const readNonFinite = (text: string): NonFinite | null => {
  const replaced = withInfinities(text);
  if (!isJson(replaced)) return null;
  const value: unknown = JSON.parse(replaced);
  return { value, paths: infinitePaths(value).take(maxPaths).toArray() };
};

import { endOfString } from './json-text.ts';

/** A whole number that JavaScript would round, in a JSON text. */
export interface UnsafeInteger {
  readonly path: readonly (string | number)[];
  /** Explains the fault to a person. */
  readonly msg: string;
}

// The smallest have 16 digits.
const longDigits = /(?:^|[[:,\s])-?\d{16}/;

/** Returns a JSON text with its unsafe integers in another form. */
const rewriteUnsafe = (text: string, rewrite: (digits: string) => string): string => {
  if (!longDigits.test(text)) return text;
  const mark = /"|(?<![\w.+-])-?\d{16,}(?![\d.eE])/g;
  const parts: string[] = [];
  let from = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [literal] = found;
    if (literal === '"') mark.lastIndex = endOfString(text, found.index);
    else if (!Number.isSafeInteger(Number(literal))) {
      parts.push(text.slice(from, found.index), rewrite(literal));
      from = mark.lastIndex;
    }
  }
  return from === 0 ? text : parts.join('') + text.slice(from);
};

/** Returns a JSON text in which large floats have a decimal point, so that they are read as what they are. */
export const withDecimalPoints = (text: string): string => rewriteUnsafe(text, (digits) => `${digits}.0`);

/** Returns why a whole number is refused. */
export const unsafeInteger = (digits: string): string => {
  const shown = digits.length > 40 ? `${digits.slice(0, 40)}…` : digits;
  return `whole numbers beyond ±${Number.MAX_SAFE_INTEGER} are not kept exactly: write ${shown} as a string`;
};

/** Keys of values that callers choose. All other numbers of a body have limits of their own. */
const freeKeys: ReadonlySet<string> = new Set(['metadata', 'filter', 'filters', 'attributes']);

type Path = UnsafeInteger['path'];

/** Yields the members of a list or object that may differ, without an array of all of them. */
const membersOf = function* (holder: object): Generator<readonly [key: string | number, member: unknown]> {
  if (Array.isArray(holder)) for (const [at, member] of holder.entries()) yield [at, member];
  else for (const key of Object.keys(holder)) yield [key, (holder as Readonly<Record<string, unknown>>)[key]];
};

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether metadata or a filter has a number beyond the safe integers. Bodies with vectors are long, so this is fast. */
const hasLargeNumber = (value: unknown, isFree: boolean): boolean => {
  if (typeof value === 'number') return isFree && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (!isHolder(value)) return false;
  if (Array.isArray(value)) {
    // A vector. A schema refuses a list that has other items too.
    if (!isFree && typeof value[0] === 'number') return false;
    return value.some((item) => hasLargeNumber(item, isFree));
  }
  return Object.keys(value).some((key) =>
    hasLargeNumber((value as Readonly<Record<string, unknown>>)[key], isFree || freeKeys.has(key)),
  );
};

/** Finds the numbers of `parsed` that are strings in `quoted`. */
const differences = function* (parsed: object, quoted: object, path: Path, isFree: boolean): Generator<UnsafeInteger> {
  for (const [key, value] of membersOf(parsed)) {
    const other = (quoted as Readonly<Record<string | number, unknown>>)[key];
    if (isFree && typeof value === 'number' && typeof other === 'string')
      yield { path: [...path, key], msg: unsafeInteger(other) };
    else if (isHolder(value) && isHolder(other))
      yield* differences(value, other, [...path, key], isFree || freeKeys.has(String(key)));
  }
};

/**
 * Yields the whole numbers beyond ±(2^53 − 1) of metadata and filters in a valid JSON text, written as digits alone.
 * Several of them are the same number to JavaScript, so one id would find the rows of another.
 * @param parsed The parsed text, of limited depth.
 * @param isFree Whether the text itself is metadata or a filter.
 */
export const unsafeIntegers = function* (text: string, parsed: unknown, isFree = false): Generator<UnsafeInteger> {
  if (!hasLargeNumber(parsed, isFree)) return;
  // In quotes, the parser keeps the digits.
  const quoted = rewriteUnsafe(text, (digits) => `"${digits}"`);
  if (quoted === text || !isHolder(parsed)) return;
  yield* differences(parsed, JSON.parse(quoted) as object, [], isFree);
};

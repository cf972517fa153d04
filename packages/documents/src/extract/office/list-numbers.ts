const romans = [
  [1_000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const;

const maxRoman = 5_000;

const toRoman = (value: number): string => {
  if (value < 1 || value > maxRoman) return String(value);
  let [rest, text] = [value, ''];
  for (const [worth, letters] of romans) for (; rest >= worth; rest -= worth) text += letters;
  return text;
};

const maxRepeated = 20;

/** Word processors repeat the letter after z: aa, bb. */
const toLetters = (value: number): string =>
  value < 1 || value > 26 * maxRepeated
    ? String(value)
    : String.fromCodePoint(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));

/** How the numbers of a list are written. */
export type NumberFormat = 'decimal' | 'decimalZero' | 'lowerRoman' | 'upperRoman' | 'lowerLetter' | 'upperLetter';

/** Writes a number of a list. */
const formatNumber = (value: number, format: NumberFormat): string => {
  if (format === 'decimalZero') return String(value).padStart(2, '0');
  if (format === 'lowerRoman' || format === 'upperRoman') {
    const text = toRoman(value);
    return format === 'upperRoman' ? text.toUpperCase() : text;
  }
  if (format === 'lowerLetter' || format === 'upperLetter') {
    const text = toLetters(value);
    return format === 'upperLetter' ? text.toUpperCase() : text;
  }
  return String(value);
};

/** Level of a numbered list. */
export interface ListLevel {
  readonly start: number;
  /** Null: a bullet, or no mark. */
  readonly format: NumberFormat | null;
  /** Text of the mark, in which `%1` is the number of the outermost level. */
  readonly text: string;
  /** Whether the numbers of outer levels are written in decimal digits. */
  readonly isLegal?: boolean;
}

/** Counts the items of one list. */
export class ListCounter {
  readonly #levels: readonly (ListLevel | undefined)[];
  readonly #values: (number | undefined)[] = [];

  constructor(levels: readonly (ListLevel | undefined)[]) {
    this.#levels = levels;
  }

  /** Lets a level begin at a number again. */
  restart(level: number, value: number): void {
    this.#values[level] = value - 1;
    this.#values.length = level + 1;
  }

  /** Counts an item, and returns its mark; empty if it has a bullet or none. */
  next(level: number): string {
    const own = this.#levels[level];
    if (own === undefined) return '';
    this.#values[level] = (this.#values[level] ?? own.start - 1) + 1;
    this.#values.length = level + 1;
    if (own.format === null) return '';
    return own.text
      .replaceAll(/%([1-9])/g, (_, digit: string) => {
        const at = Number(digit) - 1;
        const outer = this.#levels[at];
        const value = this.#values[at] ?? outer?.start ?? 1;
        return formatNumber(value, own.isLegal === true ? 'decimal' : (outer?.format ?? 'decimal'));
      })
      .trim();
  }
}

/** List whose items are counted. */
export interface CountedList {
  /** Lists with the same key count on. */
  readonly key: string;
  readonly levels: readonly (ListLevel | undefined)[];
  /** Levels that begin at a number again where the list is used first. */
  readonly restarts: ReadonlyMap<number, number>;
}

/** Counts the items of the lists of a document. */
export class ListCounters {
  readonly #counters = new Map<string, ListCounter>();
  readonly #used = new Set<string>();

  /** Counts an item, and returns its mark; empty if it has a bullet or none. @param id Name of the use of the list. */
  next(id: string, { key, levels, restarts }: CountedList, level: number): string {
    const counter = this.#counters.get(key) ?? new ListCounter(levels);
    this.#counters.set(key, counter);
    if (!this.#used.has(id)) for (const [at, start] of restarts) if (at <= level) counter.restart(at, start);
    this.#used.add(id);
    return counter.next(level);
  }
}

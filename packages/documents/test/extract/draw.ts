import { randomFrom } from '../../../../test/support/random.ts';

/** Draws the words and numbers of a generated document. */
export interface Draw {
  /** A whole number between two bounds, inclusive. */
  readonly number: (min: number, max: number) => number;
  /** Different capitalized words. */
  readonly words: (count: number) => readonly string[];
  /** One of the values. */
  readonly pick: <Value>(values: readonly Value[]) => Value;
}

const vowels = 'aeiouäéø';
const consonants = 'bdfghklmnprstvßç';

/** Draws for `count` variants of a document, from a fixed seed. */
export const drawFrom = (seed: number, count: number): readonly Draw[] => {
  const random = randomFrom(seed);
  const number = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1));
  const letter = (letters: string): string => letters.charAt(number(0, letters.length - 1));
  const word = (): string => {
    const text = Array.from({ length: number(2, 4) }, () => letter(consonants) + letter(vowels)).join('');
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  const words = (wanted: number): readonly string[] => {
    const found = new Set<string>();
    while (found.size < wanted) found.add(word());
    return [...found];
  };
  const pick = <Value>(values: readonly Value[]): Value => {
    const [first] = values.slice(number(0, values.length - 1));
    if (first === undefined) throw new RangeError('there is no value to pick');
    return first;
  };
  return Array.from({ length: count }, () => ({ number, words, pick }));
};

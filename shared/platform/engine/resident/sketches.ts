import { randomNumbers } from '../../../kernel/random-numbers.ts';

/** How the rows of a memory are sketched. */
export interface SketchShape {
  /** Signs that are kept of each row. */
  readonly bits: number;
  /** Bytes of them that are asked of all rows: all of them decide between the nearest of these. */
  readonly firstBytes: number;
  readonly wholeBytes: number;
  /** Bytes of numbers that one round of turning takes: the power of two that a row fits into. */
  readonly roundBytes: number;
  readonly rounds: number;
}

/** Rows from which their mean tells where rows lie that come later. */
export const leastSketched = 256;
/** Rows of fewer numbers need fewer signs for the same order. */
const narrowBelow = 512;
const narrow = { bits: 512, firstBytes: 32 } as const;
const wide = { bits: 1024, firstBytes: 64 } as const;
const seed = 20_261_124;

/** How rows of a width are sketched; null where there are too few of them. */
export const sketchShapeOf = (rows: number, width: number): SketchShape | null => {
  if (rows < leastSketched) return null;
  const signs = width < narrowBelow ? narrow : wide;
  const numbers = 2 ** Math.max(3, Math.ceil(Math.log2(width)));
  return { ...signs, wholeBytes: signs.bits / 8, roundBytes: numbers * 4, rounds: Math.ceil(signs.bits / numbers) };
};

/** Random signs for all rounds, the same ones each time. */
export const fillSigns = (signs: Float32Array): void => {
  const random = randomNumbers(seed);
  for (let at = 0; at < signs.length; at += 1) signs[at] = (random() & 1) === 0 ? 1 : -1;
};

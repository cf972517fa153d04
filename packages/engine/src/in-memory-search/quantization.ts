import { randomNumbers } from '../../../../shared/kernel/random-numbers.ts';

/** Sizes of the quantization codes of rows. */
export interface QuantizationShape {
  /** Bits of the code of each row. */
  readonly bits: number;
  /**
   * Bytes of the first part of a code, which is compared for all rows. Whole codes decide between the nearest of these.
   */
  readonly firstBytes: number;
  readonly wholeBytes: number;
  /** Bytes of numbers of one round of the rotation: the power of two that a row fits into. */
  readonly roundBytes: number;
  readonly rounds: number;
}

/** Rows whose mean is representative of later rows. */
export const minQuantizedRows = 256;
/** Rows of fewer numbers need fewer bits for the same order. */
const narrowBelow = 512;
const narrow = { bits: 512, firstBytes: 32 } as const;
const wide = { bits: 1024, firstBytes: 64 } as const;
const seed = 20_261_124;

/** Returns the sizes of codes for rows of a width. Null if there are too few rows. */
export const quantizationShapeOf = (rows: number, width: number): QuantizationShape | null => {
  if (rows < minQuantizedRows) return null;
  const signs = width < narrowBelow ? narrow : wide;
  const numbers = 2 ** Math.max(3, Math.ceil(Math.log2(width)));
  return { ...signs, wholeBytes: signs.bits / 8, roundBytes: numbers * 4, rounds: Math.ceil(signs.bits / numbers) };
};

/** Fills in random signs for all rounds, with a fixed seed. */
export const fillSigns = (signs: Float32Array): void => {
  const random = randomNumbers(seed);
  for (let at = 0; at < signs.length; at += 1) signs[at] = (random() & 1) === 0 ? 1 : -1;
};

import { randomNumbers } from '../../kernel/random-numbers.ts';

/** Walsh–Hadamard transform of `size` numbers, a power of two, in place; orthonormal. */
const transformBlock = (vector: Float64Array, start: number, size: number): void => {
  const block = vector.subarray(start, start + size);
  for (let half = 1; half < size; half *= 2) {
    for (let index = 0; index < size; index += 1) {
      if ((index & half) !== 0) continue;
      const left = block[index] ?? 0;
      const right = block[index + half] ?? 0;
      block[index] = left + right;
      block[index + half] = left - right;
    }
  }
  const scale = 1 / Math.sqrt(size);
  for (let index = 0; index < size; index += 1) block[index] = (block[index] ?? 0) * scale;
};

const shuffleSigned = (vector: Float64Array, random: () => number): void => {
  for (let index = vector.length - 1; index >= 0; index -= 1) {
    const other = random() % (index + 1);
    const held = vector[index] ?? 0;
    vector[index] = (vector[other] ?? 0) * ((random() & 1) === 0 ? 1 : -1);
    if (other !== index) vector[other] = held;
  }
};

/** Scales to unit length; a zero vector stays unchanged. */
export const toUnit = (vector: Float64Array): Float64Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
};

/**
 * Projects a vector to another number of dimensions by an orthonormal transform that depends on the number alone.
 * To more dimensions, lengths and cosines are preserved. To fewer, they are approximate, and the result has unit
 * length.
 */
export const project = (vector: Float64Array, dimensions: number): Float64Array => {
  const size = Math.max(vector.length, dimensions);
  const rotated = new Float64Array(size);
  rotated.set(vector);
  const random = randomNumbers(size);
  for (let round = 0; round < 2; round += 1) {
    shuffleSigned(rotated, random);
    let start = 0;
    for (let block = 2 ** 30; block >= 1; block /= 2) {
      if ((size & block) === 0) continue;
      transformBlock(rotated, start, block);
      start += block;
    }
  }
  return dimensions < size ? toUnit(rotated.slice(0, dimensions)) : rotated;
};

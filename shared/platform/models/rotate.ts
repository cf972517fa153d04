/** Seeded 32-bit numbers. Source: splitmix32, public domain. */
const randomNumbers = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
};

/** Walsh–Hadamard transform of `length` (a power of two) numbers from `start`, scaled to keep lengths. */
const transform = (vector: Float64Array, start: number, length: number): void => {
  for (let half = 1; half < length; half *= 2) {
    for (let block = start; block < start + length; block += 2 * half) {
      for (let at = block; at < block + half; at += 1) {
        const [a, b] = [vector[at] ?? 0, vector[at + half] ?? 0];
        vector[at] = a + b;
        vector[at + half] = a - b;
      }
    }
  }
  const scale = 1 / Math.sqrt(length);
  for (let at = start; at < start + length; at += 1) vector[at] = (vector[at] ?? 0) * scale;
};

/** The powers of two that add up to `length`, largest first. */
const powers = (length: number): readonly number[] =>
  Array.from({ length: 13 }, (_, at) => 2 ** (12 - at)).filter((power) => (length & power) !== 0);

const rounds = 2;

/**
 * Turns a vector into `dimensions` numbers (at least its own length, at most 4096) by a fixed orthogonal map, so that
 * lengths and angles stay as they are and the meaning is spread evenly: two rounds of a seeded shuffle, seeded signs and
 * Walsh–Hadamard transforms.
 */
export const rotate = (vector: Float64Array, dimensions: number): Float64Array => {
  const rotated = new Float64Array(dimensions);
  rotated.set(vector);
  const random = randomNumbers(dimensions);
  for (let round = 0; round < rounds; round += 1) {
    for (let at = dimensions - 1; at > 0; at -= 1) {
      const other = random() % (at + 1);
      [rotated[at], rotated[other]] = [rotated[other] ?? 0, rotated[at] ?? 0];
    }
    for (let at = 0; at < dimensions; at += 1) if ((random() & 1) === 1) rotated[at] = -(rotated[at] ?? 0);
    let start = 0;
    for (const length of powers(dimensions)) {
      transform(rotated, start, length);
      start += length;
    }
  }
  return rotated;
};

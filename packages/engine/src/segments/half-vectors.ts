/*
 * Vectors in half precision: for each row an exponent, and then its numbers without that power of two, so that vectors of any
 * size keep eleven significant bits.
 */

/** Largest absolute values that half precision takes as they are. */
const [least, most] = [2 ** -6, 2 ** 15];

const exponentOf = (row: Float32Array): number => {
  let largest = 0;
  for (const number of row) largest = Math.max(largest, Math.abs(number));
  return largest === 0 || (largest >= least && largest < most) ? 0 : Math.floor(Math.log2(largest));
};

/** Encodes rows of `width` numbers. */
export const encodeHalves = (vectors: Float32Array, width: number): Buffer => {
  const rows = width === 0 ? 0 : vectors.length / width;
  const exponents = new Int16Array(rows);
  const halves = new Float16Array(vectors);
  for (let row = 0; row < rows; row += 1) {
    const numbers = vectors.subarray(row * width, (row + 1) * width);
    const exponent = exponentOf(numbers);
    if (exponent === 0) continue;
    exponents[row] = exponent;
    // In two steps, because the factor alone may be out of range.
    const [one, other] = [2 ** Math.trunc(-exponent / 2), 2 ** (-exponent - Math.trunc(-exponent / 2))];
    halves.set(
      numbers.map((number) => number * one * other),
      row * width,
    );
  }
  return Buffer.concat([Buffer.from(exponents.buffer), Buffer.from(halves.buffer)]);
};

/** Writes decoded rows to `into`. */
export const decodeHalves = (section: Buffer, rows: number, width: number, into: Float32Array): void => {
  const from = section.byteOffset + rows * 2;
  // Cast: a section lies in memory that is not shared.
  const memory = section.buffer as ArrayBuffer;
  into.set(
    from % 2 === 0
      ? new Float16Array(memory, from, rows * width)
      : new Float16Array(memory.slice(from, from + rows * width * 2)),
  );
  for (let row = 0; row < rows; row += 1) {
    const exponent = section.readInt16LE(row * 2);
    if (exponent === 0) continue;
    const factor = 2 ** exponent;
    for (let at = row * width; at < (row + 1) * width; at += 1) into[at] = (into[at] ?? 0) * factor;
  }
};

/*
 * Vectors in half precision: for each row an exponent, and then its numbers without that power of two, so that vectors of any
 * size keep eleven significant bits. If they are compared by distance, they begin with a center that was subtracted from all
 * rows. Rows that lie together far from zero would else differ in few of these bits.
 */

/** Largest absolute values that half precision takes as they are. */
const [least, most] = [2 ** -6, 2 ** 15];

/** Rows from which the center is chosen. */
const centeredRows = 9;

const exponentOf = (row: Float32Array): number => {
  let largest = 0;
  for (const number of row) largest = Math.max(largest, Math.abs(number));
  return largest === 0 || (largest >= least && largest < most) ? 0 : Math.floor(Math.log2(largest));
};

/** Returns the median of each number in some rows, on which a few distant rows have no influence. */
const centerOf = (vectors: Float32Array, rows: number, width: number): Float32Array => {
  const count = Math.min(rows, centeredRows);
  const starts = Array.from({ length: count }, (_, at) => Math.floor((at * rows) / count) * width);
  return Float32Array.from({ length: width }, (_, part) => {
    const numbers = Float32Array.from(starts, (start) => vectors[start + part] ?? 0);
    return numbers.toSorted()[count >> 1] ?? 0;
  });
};

/** Encodes rows of `width` numbers. @param isCentered Whether a center is subtracted. */
export const encodeHalves = (given: Float32Array, width: number, isCentered: boolean): Buffer => {
  const rows = width === 0 ? 0 : given.length / width;
  const center = isCentered ? centerOf(given, rows, width) : new Float32Array();
  const vectors = isCentered ? given.map((number, at) => number - (center[at % width] ?? 0)) : given;
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
  return Buffer.concat([center, exponents, halves].map(({ buffer }) => Buffer.from(buffer)));
};

/** Writes decoded rows to `into`. */
export const decodeHalves = (section: Buffer, rows: number, width: number, into: Float32Array): void => {
  const centerBytes = section.length - rows * (1 + width) * 2;
  const from = section.byteOffset + centerBytes + rows * 2;
  // Cast: a section lies in memory that is not shared.
  const memory = section.buffer as ArrayBuffer;
  into.set(
    from % 2 === 0
      ? new Float16Array(memory, from, rows * width)
      : new Float16Array(memory.slice(from, from + rows * width * 2)),
  );
  const center = Array.from({ length: centerBytes / 4 }, (_, part) => section.readFloatLE(part * 4));
  for (let row = 0; row < rows; row += 1) {
    const exponent = section.readInt16LE(centerBytes + row * 2);
    if (exponent === 0 && centerBytes === 0) continue;
    const factor = 2 ** exponent;
    for (let part = 0, at = row * width; part < width; part += 1, at += 1)
      into[at] = (into[at] ?? 0) * factor + (center[part] ?? 0);
  }
};

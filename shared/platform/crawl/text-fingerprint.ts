/** Characters of a compared piece, and maximum characters of a text that are compared. */
const pieceCharacters = 8;
const maxTextLength = 200_000;

const mix = (hash: number): number => {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

/**
 * Returns a fingerprint of a text: 64 bits in 16 hexadecimal digits. Texts that have most of their pieces in common have
 * fingerprints that differ in few bits. Source: Charikar, "Similarity Estimation Techniques from Rounding Algorithms" (SimHash).
 */
export const fingerprintOf = (text: string): string => {
  const sums = new Int32Array(64);
  const end = Math.min(text.length, maxTextLength) - pieceCharacters;
  for (let at = 0; at <= Math.max(0, end); at += 1) {
    let hash = 0;
    for (let next = at; next < at + pieceCharacters && next < text.length; next += 1)
      hash = (Math.imul(hash, 31) + text.charCodeAt(next)) | 0;
    const halves = [mix(hash), mix(hash ^ 0x9e3779b9)];
    for (let bit = 0; bit < 64; bit += 1) {
      const half = halves[bit >> 5] ?? 0;
      sums[bit] = (sums[bit] ?? 0) + (((half >>> (bit & 31)) & 1) === 1 ? 1 : -1);
    }
  }
  const digits = (from: number): string => {
    let half = 0;
    for (let bit = 0; bit < 32; bit += 1) if ((sums[from + bit] ?? 0) > 0) half |= 1 << bit;
    return (half >>> 0).toString(16).padStart(8, '0');
  };
  return digits(0) + digits(32);
};

/** Of the 64 bits; unrelated texts differ in about 32, two spellings of one page in up to ten. */
const maxDifferingBits = 10;

const bitsOf = (value: number): number => {
  let [rest, bits] = [value >>> 0, 0];
  for (; rest !== 0; rest &= rest - 1) bits += 1;
  return bits;
};

/** Whether two texts have most of their pieces in common, by their fingerprints. */
export const isSimilar = (one: string, other: string): boolean => {
  const differing = [0, 8].map((at) =>
    bitsOf(Number.parseInt(one.slice(at, at + 8), 16) ^ Number.parseInt(other.slice(at, at + 8), 16)),
  );
  return differing.reduce((sum, bits) => sum + bits, 0) <= maxDifferingBits;
};

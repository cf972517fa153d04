/** Whether `bytes` decode all of a base64 text. Characters of another alphabet fail, including those of base64url. */
export const isWholeBase64 = (value: string, bytes: Buffer): boolean => {
  const digits = value.length - (value.endsWith('==') ? 2 : Number(value.endsWith('=')));
  const whole = digits % 4 !== 1 && bytes.length === Math.floor((digits * 3) / 4);
  return whole && !value.includes('-') && !value.includes('_');
};

/** Encodes a vector as base64 of little-endian float32. */
export const encodeVector = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

/** Decodes little-endian float32 numbers. Trailing bytes that make no number are ignored. */
export const floatsOf = (bytes: Buffer): Float32Array => {
  // Float32Array needs an offset that is a multiple of four. A copy has one.
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Float32Array(buffer, byteOffset, Math.floor(bytes.length / 4));
};

/** Decodes a base64 vector. */
export const decodeVector = (base64: string): Float32Array => floatsOf(Buffer.from(base64, 'base64'));

const rate = 8_000;
const headBytes = 44;

/** A WAV of some seconds, 16 bits at 8 kHz. @param sample Its samples, -1 to 1, by time in seconds; silence unless given. */
export const wav = (seconds: number, sample: (second: number) => number = () => 0): Uint8Array => {
  const samples = Math.round(rate * seconds);
  const bytes = Buffer.alloc(headBytes + 2 * samples);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(2 * rate, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(2 * samples, 40);
  for (let at = 0; at < samples; at += 1)
    bytes.writeInt16LE(Math.round(32_767 * sample(at / rate)), headBytes + 2 * at);
  return bytes;
};

/** Compresses a sample of 16 bits to 8. Source: ITU-T G.711 */
const compress = {
  'mu-law': (sample: number): number => {
    const size = Math.min(32_635, Math.abs(sample)) + 132;
    const exponent = Math.floor(Math.log2(size)) - 7;
    return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | ((size >> (exponent + 3)) & 15)) & 0xff;
  },
  'a-law': (sample: number): number => {
    const size = Math.min(32_767, Math.abs(sample)) >> 4;
    const exponent = size < 32 ? (size < 16 ? 0 : 1) : Math.floor(Math.log2(size)) - 3;
    const mantissa = exponent === 0 ? size & 15 : (size >> (exponent - 1)) & 15;
    return ((sample < 0 ? 0 : 0x80) | (exponent << 4) | mantissa) ^ 0x55;
  },
} as const;

/** A WAV as telephone systems record it, 8 bits at 8 kHz. */
export const telephoneWav = (
  seconds: number,
  sample: (second: number) => number,
  law: keyof typeof compress,
): Uint8Array => {
  const whole = Buffer.from(wav(seconds, sample));
  const samples = (whole.length - headBytes) / 2;
  const bytes = Buffer.concat([whole.subarray(0, headBytes), Buffer.alloc(samples)]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.writeUInt16LE(law === 'a-law' ? 6 : 7, 20);
  bytes.writeUInt32LE(rate, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.writeUInt32LE(samples, 40);
  for (let at = 0; at < samples; at += 1) bytes[headBytes + at] = compress[law](whole.readInt16LE(headBytes + 2 * at));
  return bytes;
};

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

/*
 * Recordings as far as a reader of their containers looks at them: every header is whole, the sound itself is anything.
 */

import { randomFrom } from '../../../../test/support/random.ts';

const u16le = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const u32le = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);

interface Samples {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bits: number;
}

const random = randomFrom(7);
const noise = Buffer.from(Array.from({ length: 4_093 }, () => Math.floor(random() * 200)));

/** Sound that is neither silent nor text, nor the beginning of anything. */
export const sound = (bytes: number): Buffer => Buffer.alloc(bytes, noise);

/** @param seconds What the header says. @param coverBytes Size of a picture in it. */
export const flac = (
  { sampleRate, channels, bits }: Samples,
  { seconds, soundBytes, coverBytes = 0 }: { seconds: number; soundBytes: number; coverBytes?: number },
): Buffer => {
  const block = (type: number, isLast: boolean, body: Buffer): Buffer =>
    Buffer.concat([u32(((isLast ? 0x80 : 0) | type) * 2 ** 24 + body.length), body]);
  const info = Buffer.alloc(34);
  info.writeUInt16BE(4_096, 0);
  info.writeUInt16BE(4_096, 2);
  const samples = BigInt(Math.round(seconds * sampleRate));
  const packed = (BigInt(sampleRate) << 44n) | (BigInt(channels - 1) << 41n) | (BigInt(bits - 1) << 36n) | samples;
  info.writeBigUInt64BE(packed, 10);
  const picture = [
    u32(3),
    u32(9),
    Buffer.from('image/png'),
    u32(0),
    Buffer.alloc(16),
    u32(coverBytes),
    sound(coverBytes),
  ];
  return Buffer.concat([
    Buffer.from('fLaC'),
    block(0, coverBytes === 0, info),
    ...(coverBytes === 0 ? [] : [block(6, true, Buffer.concat(picture))]),
    sound(soundBytes),
  ]);
};

/** @param chunks What follows the description of the samples, by name. */
export const wavOf = (
  { sampleRate, channels, bits }: Samples,
  ...chunks: readonly (readonly [name: string, body: Buffer, statedBytes?: number])[]
): Buffer => {
  const frame = (channels * bits) / 8;
  const format = [u16le(1), u16le(channels), u32le(sampleRate), u32le(sampleRate * frame), u16le(frame), u16le(bits)];
  const all = [['fmt ', Buffer.concat(format)] as const, ...chunks].map(([name, body, statedBytes = body.length]) =>
    Buffer.concat([Buffer.from(name), u32le(statedBytes), body]),
  );
  const body = Buffer.concat([Buffer.from('WAVE'), ...all]);
  return Buffer.concat([Buffer.from('RIFF'), u32le(body.length), body]);
};

/** MPEG-1 Layer III at 44.1 kHz. @param statedFrames What the Xing header says; a second has some 38 frames. */
export const mp3 = (statedFrames: number, soundBytes: number, coverBytes = 0): Buffer => {
  const frameBytes = 417;
  const first = Buffer.alloc(frameBytes);
  first.set([0xff, 0xfb, 0x90, 0x00]);
  // Frames, bytes, places and quality follow.
  Buffer.concat([Buffer.from('Xing'), u32(0x0f), u32(statedFrames), u32(soundBytes)]).copy(first, 36);
  const frames = Array.from({ length: Math.ceil(soundBytes / frameBytes) }, (_, at) => {
    const frame = sound(frameBytes);
    // Every other one has another bitrate, as far as it says.
    frame.set([0xff, 0xfb, at % 2 === 0 ? 0x90 : 0x80, 0x00]);
    return at % 2 === 0 ? frame : frame.subarray(0, 365);
  });
  const size = [21, 14, 7, 0].map((shift) => ((coverBytes + 10) >> shift) & 0x7f);
  const cover = Buffer.concat([Buffer.from('PRIV'), u32(coverBytes), u16(0), sound(coverBytes)]);
  const tag = Buffer.concat([Buffer.from('ID3'), Buffer.from([3, 0, 0, ...size]), cover]);
  return Buffer.concat([...(coverBytes === 0 ? [] : [tag]), first, ...frames]);
};

const box = (name: string, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(8 + body.length), Buffer.from(name), body]);
};

interface Track {
  readonly kind: 'soun' | 'vide';
  readonly seconds: number;
  readonly sampleSizes: readonly number[];
}

const trackBox = ({ kind, seconds, sampleSizes }: Track, at: number): Buffer => {
  const rate = 44_100;
  const description =
    kind === 'soun'
      ? box('mp4a', Buffer.alloc(6), u16(1), Buffer.alloc(8), u16(2), u16(16), u32(0), u32(rate * 65_536))
      : box('avc1', Buffer.alloc(6), u16(1), Buffer.alloc(70));
  const header = box('mdhd', u32(0), u32(0), u32(0), u32(rate), u32(Math.round(seconds * rate)), u16(0x55c4), u16(0));
  const handler = box('hdlr', u32(0), u32(0), Buffer.from(kind), Buffer.alloc(21));
  const table = box(
    'stbl',
    box('stsd', u32(0), u32(1), description),
    box('stts', u32(0), u32(1), u32(sampleSizes.length), u32(1_024)),
    box('stsz', u32(0), u32(0), u32(sampleSizes.length), ...sampleSizes.map(u32)),
  );
  const known = box('tkhd', Buffer.alloc(12), u32(at + 1), Buffer.alloc(68));
  return box('trak', known, box('mdia', header, handler, box('minf', table)));
};

/** MPEG-4 with these tracks, whose samples make up the rest of the file. */
export const m4a = (...tracks: readonly Track[]): Buffer => {
  const bytes = tracks.flatMap(({ sampleSizes }) => sampleSizes).reduce((sum, size) => sum + size, 0);
  return Buffer.concat([
    box('ftyp', Buffer.from('M4A '), u32(0), Buffer.from('M4A mp42isom')),
    box('moov', ...tracks.map(trackBox)),
    box('mdat', sound(bytes)),
  ]);
};

/** Opus in Ogg pages. The last page states the length. */
export const opus = (seconds: number, soundBytes: number, behindBytes = 0): Buffer => {
  const page = (kind: number, granule: number, body: Buffer): Buffer => {
    const segments = [...Array.from({ length: Math.floor(body.length / 255) }, () => 255), body.length % 255];
    const position = Buffer.alloc(8);
    position.writeBigUInt64LE(BigInt(granule));
    const head = [Buffer.from('OggS'), Buffer.from([0, kind]), position, u32le(7), u32le(0), u32le(0)];
    return Buffer.concat([...head, Buffer.from([segments.length, ...segments]), body]);
  };
  const head = Buffer.concat([
    Buffer.from('OpusHead'),
    Buffer.from([1, 2]),
    u16le(0),
    u32le(48_000),
    u16le(0),
    Buffer.alloc(1),
  ]);
  const tags = Buffer.concat([Buffer.from('OpusTags'), u32le(0), u32le(0)]);
  return Buffer.concat([
    page(2, 0, head),
    page(0, 0, tags),
    page(4, Math.round(seconds * 48_000), sound(soundBytes)),
    sound(behindBytes),
  ]);
};

const element = (id: string, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(0x10_00_00_00 + body.length);
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
};

/** A WebM with one track and no samples, as a browser begins to record it. Source: RFC 9559 */
export const webm = (codec: 'A_OPUS' | 'V_VP8'): Uint8Array =>
  Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    element(
      '18538067',
      element('1549a966', element('2ad7b1', Buffer.from([0x0f, 0x42, 0x40]))),
      element(
        '1654ae6b',
        element(
          'ae',
          element('d7', Buffer.from([1])),
          element('83', Buffer.from([codec.startsWith('A') ? 2 : 1])),
          element('86', Buffer.from(codec)),
        ),
      ),
    ),
  ]);

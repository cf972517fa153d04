import type { IFormat } from 'music-metadata';

/** Stereo of 24 bits at 192 kHz, or eight channels of them at 48 kHz, before any compression. */
const mostLossless = 1_152_000;

/** For a pair of channels twice what MP3 takes at most, and more than Opus, Vorbis and AAC do. */
const mostLossyPerChannel = 40_000;

/** What a file may hold besides its sound that is not told apart: tags at its end, pages, padding. */
const spareBytes = 262_144;
const spareFactor = 1.25;

const uncompressed = ({ sampleRate = 48_000, numberOfChannels = 2, bitsPerSample = 16 }: IFormat): number =>
  sampleRate * numberOfChannels * Math.max(1, Math.ceil((bitsPerSample || 16) / 8));

/** Bytes that a second of sound takes at most, by its codec and what the file says of its samples. */
const mostBytesPerSecond = (mediaType: string, format: IFormat): number => {
  if (mediaType === 'audio/wav') return uncompressed(format);
  // MPEG-4 does not tell the sample rate and depth of such recordings reliably.
  if (format.lossless === true && mediaType === 'audio/mp4') return mostLossless;
  if (format.lossless === true) return Math.min(mostLossless, uncompressed(format));
  return mostLossyPerChannel * Math.min(8, Math.max(2, format.numberOfChannels ?? 2));
};

/** Length of the tag with which an MP3 may begin, covers and all. Source: ID3v2.4, 3.1 */
const tagBytes = (bytes: Uint8Array): number => {
  if (String.fromCharCode(...bytes.subarray(0, 3)) !== 'ID3') return 0;
  return 10 + bytes.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
};

const nameOfData = 0x64617461;

/** Bytes of a WAV without the chunks that are no samples, which hold covers and notes. */
const sampleBytes = (bytes: Uint8Array): number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let samples = bytes.length;
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = view.getUint32(at + 4, true);
    if (at + 8 + size > bytes.length) break;
    if (view.getUint32(at) !== nameOfData) samples -= 8 + size;
    at += 8 + size + (size % 2);
  }
  return samples;
};

/** How many bytes of a file are sound: pictures in it, moving ones too, are none. */
const soundBytes = (bytes: Uint8Array, mediaType: string, { trackInfo }: IFormat): number => {
  if (mediaType === 'audio/wav') return sampleBytes(bytes);
  if (mediaType === 'audio/mpeg') return bytes.length - Math.min(bytes.length, tagBytes(bytes));
  if (mediaType !== 'audio/flac' && mediaType !== 'audio/mp4') return bytes.length;
  const sizes = trackInfo.flatMap(({ audio, bitrate, duration }) =>
    audio === undefined ? [] : [((bitrate ?? Number.NaN) * (duration ?? Number.NaN)) / 8],
  );
  const size = sizes.reduce((sum, each) => sum + each, 0);
  return size > 0 ? size : bytes.length;
};

/** The longest that the container says of any of its recordings, in seconds; null where it says nothing of use. */
const statedSeconds = ({ duration, trackInfo }: IFormat): number | null => {
  const stated = [duration, ...trackInfo.map((track) => (track.audio === undefined ? 0 : track.duration))];
  const longest = Math.max(...stated.map((seconds = 0) => (Number.isFinite(seconds) ? seconds : 0)));
  return longest > 0 ? longest : null;
};

/**
 * Seconds of a recording, as its container states them; null where it doesn't, or where its sound takes more bytes than
 * that long can. A model reads the sound, whatever was written above it.
 */
export const recordingSeconds = (bytes: Uint8Array, mediaType: string, format: IFormat): number | null => {
  const seconds = statedSeconds(format);
  if (seconds === null) return null;
  const most = mostBytesPerSecond(mediaType, format);
  const size = soundBytes(bytes, mediaType, format);
  if (size <= spareFactor * most * seconds + spareBytes) return seconds;
  // Where nothing is compressed, the size alone tells how much there is to hear.
  return mediaType === 'audio/wav' ? size / most : null;
};

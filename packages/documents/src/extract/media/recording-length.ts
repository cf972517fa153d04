import type { IFormat } from 'music-metadata';

/** Stereo of 24 bits at 192 kHz, or eight such channels at 48 kHz, uncompressed. */
const maxLosslessBytesPerSecond = 1_152_000;

/** For two channels, twice the maximum of MP3, and more than Opus, Vorbis and AAC take. */
const maxLossyBytesPerChannel = 40_000;

/** Allowance for data besides sound that is not identified: tags at the end, pages, padding. */
const spareBytes = 262_144;
const spareFactor = 1.25;

const uncompressed = ({ sampleRate = 48_000, numberOfChannels = 2, bitsPerSample = 16 }: IFormat): number =>
  sampleRate * numberOfChannels * Math.max(1, Math.ceil((bitsPerSample || 16) / 8));

/** Maximum bytes of a second of sound, by codec and sample format. */
const maxBytesPerSecond = (mediaType: string, format: IFormat): number => {
  if (mediaType === 'audio/wav') return uncompressed(format);
  // MPEG-4 does not state the sample rate and depth of such recordings reliably.
  if (format.lossless === true && mediaType === 'audio/mp4') return maxLosslessBytesPerSecond;
  if (format.lossless === true) return Math.min(maxLosslessBytesPerSecond, uncompressed(format));
  return maxLossyBytesPerChannel * Math.min(8, Math.max(2, format.numberOfChannels ?? 2));
};

/** Length of the ID3 tag at the start of an MP3, including covers. Source: ID3v2.4, 3.1 */
const tagBytes = (bytes: Uint8Array): number => {
  if (String.fromCharCode(...bytes.subarray(0, 3)) !== 'ID3') return 0;
  return 10 + bytes.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
};

const nameOfData = 0x64617461;

/** Bytes of the samples of a WAV, without chunks that contain covers and notes. */
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

/** Bytes of sound in a file, without pictures and video. */
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

/** Longest length that the container states for any of its recordings, in seconds; null if it states no usable one. */
const statedSeconds = ({ duration, trackInfo }: IFormat): number | null => {
  const stated = [duration, ...trackInfo.map((track) => (track.audio === undefined ? 0 : track.duration))];
  const longest = Math.max(...stated.map((seconds = 0) => (Number.isFinite(seconds) ? seconds : 0)));
  return longest > 0 ? longest : null;
};

/**
 * Length of a recording in seconds, as its container states it. Null if it states none, or if its sound takes more
 * bytes than is possible in that time, since the model reads all the sound.
 */
export const recordingSeconds = (bytes: Uint8Array, mediaType: string, format: IFormat): number | null => {
  const seconds = statedSeconds(format);
  if (seconds === null) return null;
  const maxRate = maxBytesPerSecond(mediaType, format);
  const size = soundBytes(bytes, mediaType, format);
  if (size <= spareFactor * maxRate * seconds + spareBytes) return seconds;
  // Without compression, the size determines the length.
  return mediaType === 'audio/wav' ? size / maxRate : null;
};

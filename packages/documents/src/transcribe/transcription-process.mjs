/*
 * Runs a speech model over one recording, in a process of its own: native code and a user's model may crash it at any
 * moment. Plain JavaScript, because it is deployed beside the bundle without a build.
 */
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- nothing here has types */
import { constants, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';

// The WebAssembly runtime reads the file mode constants through this deprecated function, which a process without
// permissions may not call.
process.binding = () => ({ fs: constants });

const folder = resolve(process.argv[2] ?? '.');
const settingsFile = 'speech.json';

/** Error that persists until the folder or the recording is changed. The message is for the user. */
class Refusal extends Error {}

const installed = createRequire(join(folder, 'package.json'));

/** Path of a package installed in the folder; null if it is not installed. */
const findPackage = (name) => {
  try {
    return installed.resolve(name);
  } catch {
    return null;
  }
};

const fileNames = /\.(?:onnx|ort|txt|bin|model|json|vocab)$/i;

/** Path of a model file, which must be in the folder. */
const modelFile = (name) => {
  const path = resolve(folder, name);
  if (relative(folder, path).startsWith('..') || !existsSync(path))
    throw new Refusal(`${settingsFile} names ${name}, which is not in the folder of the speech model`);
  return path;
};

const withPaths = (value) => {
  if (typeof value === 'string') return fileNames.test(value) ? modelFile(value) : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withPaths(inner)]));
};

/** Reads the runtime's configuration: the model as `speech.json` describes it, in the runtime's own fields. */
const readConfig = () => {
  if (!existsSync(folder)) throw new Refusal('The folder of the speech model does not exist');
  const path = join(folder, settingsFile);
  if (!existsSync(path)) throw new Refusal(`The folder of the speech model has no ${settingsFile}`);
  let settings;
  try {
    settings = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new Refusal(`${settingsFile} in the folder of the speech model is not JSON`);
  }
  if (typeof settings?.model !== 'object' || settings.model === null)
    throw new Refusal(`${settingsFile} in the folder of the speech model has no "model"`);
  return {
    featConfig: { sampleRate: 16_000, featureDim: 80, ...settings.features },
    modelConfig: { numThreads: 2, provider: 'cpu', debug: 0, ...withPaths(settings.model) },
  };
};

/** Opens the installed runtime, native code before WebAssembly, as one function. */
const openModel = (config) => {
  const native = findPackage('sherpa-onnx-node');
  const portable = findPackage('sherpa-onnx');
  if (native === null && portable === null)
    throw new Refusal('Neither sherpa-onnx-node nor sherpa-onnx is installed in the folder of the speech model');
  const runtime = installed(native ?? portable);
  const recognizer = native === null ? runtime.createOfflineRecognizer(config) : new runtime.OfflineRecognizer(config);
  return (samples, sampleRate) => {
    const stream = recognizer.createStream();
    if (native === null) stream.acceptWaveform(sampleRate, samples);
    else stream.acceptWaveform({ samples, sampleRate });
    recognizer.decode(stream);
    const { text } = recognizer.getResult(stream);
    if (native === null) stream.free();
    return text.trim();
  };
};

const pcm = 1;
const floats = 3;
const aLaw = 6;
const muLaw = 7;
const extensible = 0xfffe;

/** Expands a byte of telephone sound. Source: ITU-T G.711 */
const expandALaw = (byte) => {
  const value = byte ^ 0x55;
  const exponent = (value >> 4) & 7;
  const mantissa = ((value & 15) << 4) + 8;
  const size = exponent === 0 ? mantissa : (mantissa + 256) << (exponent - 1);
  return (value & 0x80 ? size : -size) / 32_768;
};

/** Expands a byte of telephone sound. Source: ITU-T G.711 */
const expandMuLaw = (byte) => {
  const value = ~byte & 0xff;
  const size = ((((value & 15) << 3) + 132) << ((value >> 4) & 7)) - 132;
  return (value & 0x80 ? -size : size) / 32_768;
};

const sampleReaders = {
  [`${pcm} 8`]: (view, at) => (view.getUint8(at) - 128) / 128,
  [`${pcm} 16`]: (view, at) => view.getInt16(at, true) / 32_768,
  [`${pcm} 24`]: (view, at) => (view.getUint16(at, true) | (view.getInt8(at + 2) << 16)) / 8_388_608,
  [`${pcm} 32`]: (view, at) => view.getInt32(at, true) / 2_147_483_648,
  [`${floats} 32`]: (view, at) => view.getFloat32(at, true),
  [`${aLaw} 8`]: (view, at) => expandALaw(view.getUint8(at)),
  [`${muLaw} 8`]: (view, at) => expandMuLaw(view.getUint8(at)),
};

/** Chunks of a RIFF file by name, as far as they are complete. */
const chunksOf = (view) => {
  const chunks = new Map();
  for (let at = 12; at + 8 <= view.byteLength;) {
    const name = String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));
    const length = Math.min(view.getUint32(at + 4, true), view.byteLength - at - 8);
    if (!chunks.has(name)) chunks.set(name, { at: at + 8, length });
    at += 8 + length + (length % 2);
  }
  return chunks;
};

/** Reads a WAV as one channel of samples, -1 to 1; null for other kinds of WAV. */
const readWav = (bytes) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks = chunksOf(view);
  const [format, data] = [chunks.get('fmt '), chunks.get('data')];
  if (format === undefined || data === undefined || format.length < 16)
    throw new Refusal('The recording is damaged and cannot be transcribed');
  const tag = view.getUint16(format.at, true);
  const kind = tag === extensible && format.length >= 26 ? view.getUint16(format.at + 24, true) : tag;
  const [channels, sampleRate] = [view.getUint16(format.at + 2, true), view.getUint32(format.at + 4, true)];
  const bits = view.getUint16(format.at + 14, true);
  const read = sampleReaders[`${kind} ${bits}`];
  if (read === undefined || channels === 0 || sampleRate === 0) return null;
  const size = bits / 8;
  const samples = new Float32Array(Math.floor(data.length / (size * channels)));
  for (let frame = 0; frame < samples.length; frame += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1)
      sum += read(view, data.at + (frame * channels + channel) * size);
    samples[frame] = sum / channels;
  }
  return { samples, sampleRate };
};

const isWav = (bytes) => String.fromCharCode(...bytes.subarray(0, 4)) === 'RIFF';

const readSamples = (bytes) => {
  const read = isWav(bytes) ? readWav(bytes) : null;
  if (read !== null) return read;
  throw new Refusal(
    'The speech model reads only WAV, uncompressed or by G.711; convert the recording, or upload its subtitles',
  );
};

// Whisper reads at most 30 seconds at a time, and other models need memory in proportion to the square of the length.
const maxSeconds = 28;
const searchSeconds = 10;
const pauseSeconds = 0.2;
const silence = 0.001;

const loudness = (samples) => Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

/** End of the segment that begins at `start`: the quietest moment of its last seconds. */
const endOf = (samples, sampleRate, start) => {
  const latest = start + Math.floor(maxSeconds * sampleRate);
  if (latest >= samples.length) return samples.length;
  const pause = Math.max(1, Math.floor(pauseSeconds * sampleRate));
  let best = { at: latest, level: Number.POSITIVE_INFINITY };
  for (let at = latest - Math.floor(searchSeconds * sampleRate); at + pause <= latest; at += pause) {
    const level = loudness(samples.subarray(at, at + pause));
    if (level <= best.level) best = { at: at + Math.floor(pause / 2), level };
  }
  return best.at;
};

/** Loudness of the quietest speech, as a share of the loudest moment of its segment. */
const quietest = 0.05;

/** Part of a segment between its first and its last loud moment. */
const loudPart = (segment, sampleRate) => {
  const moment = Math.max(1, Math.floor(pauseSeconds * sampleRate));
  const levels = [];
  for (let at = 0; at < segment.length; at += moment) levels.push(loudness(segment.subarray(at, at + moment)));
  const min = Math.max(silence, quietest * levels.reduce((max, level) => Math.max(max, level), 0));
  const isLoud = (level) => level >= min;
  return {
    from: Math.max(0, levels.findIndex(isLoud)) * moment,
    to: Math.min(segment.length, (levels.findLastIndex(isLoud) + 1) * moment),
  };
};

const roundSeconds = (seconds) => Math.round(seconds * 100) / 100;

const transcribe = async (bytes) => {
  const transcribeSegment = openModel(readConfig());
  process.send({ ready: true });
  const { samples, sampleRate } = readSamples(bytes);
  const spoken = [];
  for (let start = 0; start < samples.length;) {
    const end = endOf(samples, sampleRate, start);
    const segment = samples.slice(start, end);
    if (loudness(segment) >= silence) {
      const { from, to } = loudPart(segment, sampleRate);
      const seconds = (at) => roundSeconds((start + at) / sampleRate);
      // Without words, it is reported as a stretch of sound.
      const text = transcribeSegment(segment, sampleRate);
      spoken.push({ text, startSeconds: seconds(from), endSeconds: seconds(to) });
    }
    start = end;
  }
  return spoken;
};

process.on('disconnect', () => process.exit(0));
process.once('message', (bytes) => {
  void transcribe(bytes)
    .then((spoken) => ({ spoken }))
    .catch((error) => ({ refusal: error instanceof Refusal ? error.message : null, reason: String(error) }))
    .then((message) => process.send(message, () => process.disconnect()));
});

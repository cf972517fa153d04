/*
 * Runs Tesseract in a worker thread, so that a picture that takes too long can be stopped. Plain JavaScript, because it
 * is deployed beside the bundle without a build.
 */
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, unicorn/require-post-message-target-origin -- nothing here has types, and a thread has no origin */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { gunzipSync, inflateSync } from 'node:zlib';

/** Width in pixels below which letters are too small for the model, so that the picture is doubled. */
const smallWidth = 1_200;
/** Side in pixels of the blocks whose brightest pixels measure the light. */
const blockSide = 32;
/** Share of the brightest block below which a block is badly lit. */
const evenLight = 0.8;
/** Confidence below which a picture may be upside down. */
const doubtful = 0.5;

/** @typedef {{ width: number, height: number, pixels: Uint8Array }} Gray 8 bits a pixel, rows from the top */

/** @type {Array<(left: number, up: number, corner: number) => number>} What each row filter of PNG predicts. */
const predictions = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, corner) => {
    const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
    if (a <= b && a <= c) return left;
    return b <= c ? up : corner;
  },
];

/** @returns {Gray} */
const unpackBits = (/** @type {Gray} */ { width, height, pixels: rows }) => {
  const rowBytes = Math.ceil(width / 8);
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      pixels[y * width + x] = (rows[y * rowBytes + (x >> 3)] >> (7 - (x & 7))) & 1 ? 255 : 0;
    }
  }
  return { width, height, pixels };
};

/**
 * Reads the gray PNG without interlacing that the engine writes: of 8 bits, or of 1 bit if its input had 1 bit.
 * @returns {Gray}
 */
const readGrayPng = (/** @type {Buffer} */ png) => {
  const [width, height, depth] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24]];
  if ((depth !== 8 && depth !== 1) || png[25] !== 0 || png[28] !== 0)
    throw new Error('the engine wrote another kind of picture');
  const data = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const rowBytes = Math.ceil((width * depth) / 8);
  const filtered = inflateSync(Buffer.concat(data), { maxOutputLength: (rowBytes + 1) * height });
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const predict = predictions[filtered[y * (rowBytes + 1)]];
    for (let x = 0; x < rowBytes; x += 1) {
      const at = y * rowBytes + x;
      const left = x > 0 ? rows[at - 1] : 0;
      const up = y > 0 ? rows[at - rowBytes] : 0;
      const corner = x > 0 && y > 0 ? rows[at - rowBytes - 1] : 0;
      rows[at] = filtered[y * (rowBytes + 1) + 1 + x] + predict(left, up, corner);
    }
  }
  const read = { width, height, pixels: rows };
  return depth === 8 ? read : unpackBits(read);
};

/** Twice the size, by linear interpolation. @returns {Gray} */
const double = (/** @type {Gray} */ { width, height, pixels }) => {
  const doubled = new Uint8Array(4 * width * height);
  for (let y = 0; y < 2 * height; y += 1) {
    const above = Math.max(0, Math.ceil(y / 2) - 1);
    const below = Math.min(height - 1, above + 1);
    const lower = y === 0 ? 0 : y % 2 === 0 ? 0.75 : 0.25;
    for (let x = 0; x < 2 * width; x += 1) {
      const left = Math.max(0, Math.ceil(x / 2) - 1);
      const right = Math.min(width - 1, left + 1);
      const righter = x === 0 ? 0 : x % 2 === 0 ? 0.75 : 0.25;
      const top = pixels[above * width + left] * (1 - righter) + pixels[above * width + right] * righter;
      const bottom = pixels[below * width + left] * (1 - righter) + pixels[below * width + right] * righter;
      doubled[y * 2 * width + x] = top * (1 - lower) + bottom * lower + 0.5;
    }
  }
  return { width: 2 * width, height: 2 * height, pixels: doubled };
};

/** Brightness of the paper in each block: the value that nine of ten of its pixels do not exceed. */
const measureLight = (/** @type {Gray} */ { width, height, pixels }) => {
  const [columns, rows] = [Math.ceil(width / blockSide), Math.ceil(height / blockSide)];
  const light = new Float64Array(columns * rows);
  const counts = new Uint32Array(256);
  for (let block = 0; block < light.length; block += 1) {
    const [fromX, fromY] = [(block % columns) * blockSide, Math.floor(block / columns) * blockSide];
    const [toX, toY] = [Math.min(width, fromX + blockSide), Math.min(height, fromY + blockSide)];
    counts.fill(0);
    for (let y = fromY; y < toY; y += 1) for (let x = fromX; x < toX; x += 1) counts[pixels[y * width + x]] += 1;
    let rest = Math.floor((toX - fromX) * (toY - fromY) * 0.1);
    let value = 255;
    while (rest >= counts[value] && value > 1) rest -= counts[value--];
    light[block] = value;
  }
  return { columns, rows, light };
};

/** Divides each pixel by the light at its position; null if the light is even. */
const flatten = (/** @type {Gray} */ gray) => {
  const { columns, rows, light } = measureLight(gray);
  const brightest = light.reduce((max, value) => Math.max(max, value), 1);
  const dim = light.reduce((count, value) => count + (value < brightest * evenLight ? 1 : 0), 0);
  if (dim * 50 < light.length) return null;
  const { width, height, pixels } = gray;
  const flat = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1) {
    const row = Math.min(rows - 1, Math.max(0, y / blockSide - 0.5));
    const [top, lower] = [Math.floor(row), row % 1];
    const bottom = Math.min(rows - 1, top + 1);
    for (let x = 0; x < width; x += 1) {
      const column = Math.min(columns - 1, Math.max(0, x / blockSide - 0.5));
      const [left, righter] = [Math.floor(column), column % 1];
      const right = Math.min(columns - 1, left + 1);
      const above = light[top * columns + left] * (1 - righter) + light[top * columns + right] * righter;
      const below = light[bottom * columns + left] * (1 - righter) + light[bottom * columns + right] * righter;
      const paper = above * (1 - lower) + below * lower;
      flat[y * width + x] = Math.min(255, (pixels[y * width + x] * 255) / paper);
    }
  }
  return { width, height, pixels: flat };
};

const openEngine = async () => {
  const require = createRequire(workerData.coreFile);
  const wasmBinary = readFileSync(workerData.wasmFile);
  const engine = await require(workerData.coreFile)({ wasmBinary, print: () => {}, printErr: () => {} });
  engine.FS.writeFile('eng.traineddata', gunzipSync(readFileSync(workerData.dataFile)));
  const api = new engine.TessBaseAPI();
  if (api.Init(null, 'eng', engine.OEM_LSTM_ONLY ?? 1) !== 0) throw new Error('the model could not be loaded');
  api.SetPageSegMode(3);
  return { files: engine.FS, api };
};

const opening = openEngine();

const load = async (/** @type {Uint8Array} */ bytes) => {
  const { files, api } = await opening;
  files.writeFile('/input', bytes);
  return api.SetImageFile(1, 0) === 0;
};

const readLoaded = async () => {
  const { api } = await opening;
  if (api.Recognize(null) !== 0) throw new Error('the engine gave up');
  return { text: api.GetUTF8Text(), confidence: api.MeanTextConf() / 100 };
};

const read = async (/** @type {Gray} */ { width, height, pixels }) => {
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`);
  if (!(await load(Buffer.concat([header, pixels])))) throw new Error('the engine took no picture');
  return readLoaded();
};

/** @typedef {{ text: string, confidence: number }} Reading */

/** Score of a reading: its visible characters, weighted by its confidence. */
const found = (/** @type {Reading} */ { text, confidence }) => text.replace(/\s/g, '').length * confidence ** 2;

const better = (/** @type {Reading} */ one, /** @type {Reading} */ other) => (found(other) > found(one) ? other : one);

const recognize = async (/** @type {Uint8Array} */ bytes) => {
  const { files, api } = await opening;
  if (!(await load(bytes))) return null;
  api.WriteImage(1);
  const gray = readGrayPng(Buffer.from(files.readFile('/image.png')));
  const large = gray.width < smallWidth ? double(gray) : gray;
  const plain = await read(large);
  const flat = flatten(large);
  const upright = flat === null ? plain : better(plain, await read(flat));
  if (upright.confidence >= doubtful || upright.text.trim() === '') return upright;
  // The engine detects a page that lies on its side, but not one that is upside down.
  const { width, height, pixels } = flat ?? large;
  return better(upright, await read({ width, height, pixels: pixels.toReversed() }));
};

// One picture at a time, since the engine holds only one.
let last = Promise.resolve();
parentPort.on('message', ({ id, bytes }) => {
  last = last
    .then(() => recognize(bytes))
    .then(
      (result) => parentPort.postMessage({ id, result }),
      (error) => parentPort.postMessage({ id, error: String(error) }),
    );
});

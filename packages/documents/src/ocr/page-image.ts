import { inflateSync } from 'node:zlib';
import type { GreyImage } from '../extract/pdf/encode-png.ts';

/** Side in pixels of the blocks whose brightest pixels measure the light. */
const blockSide = 32;
/** Share of the brightest block below which a block is badly lit. */
const evenLight = 0.8;

/** Predictions of the PNG row filters. Source: PNG, section 9 */
const predictions: readonly ((left: number, up: number, corner: number) => number)[] = [
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

const unpackBits = ({ width, height, pixels: rows }: GreyImage): GreyImage => {
  const rowBytes = Math.ceil(width / 8);
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      pixels[y * width + x] = ((rows[y * rowBytes + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 255 : 0;
    }
  }
  return { width, height, pixels };
};

/** Reads the gray PNG without interlacing that the engine writes: of 8 bits, or of 1 bit if its input had 1 bit. */
export const readGrayPng = (png: Buffer): GreyImage => {
  const [width, height, depth] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24]];
  if ((depth !== 8 && depth !== 1) || png[25] !== 0 || png[28] !== 0)
    throw new Error('the engine wrote another kind of picture');
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const rowBytes = Math.ceil((width * depth) / 8);
  const filtered = inflateSync(Buffer.concat(data), { maxOutputLength: (rowBytes + 1) * height });
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const predict = predictions[filtered[y * (rowBytes + 1)] ?? 0];
    if (predict === undefined) throw new Error('the engine wrote a damaged picture');
    for (let x = 0; x < rowBytes; x += 1) {
      const at = y * rowBytes + x;
      const left = x > 0 ? (rows[at - 1] ?? 0) : 0;
      const up = y > 0 ? (rows[at - rowBytes] ?? 0) : 0;
      const corner = x > 0 && y > 0 ? (rows[at - rowBytes - 1] ?? 0) : 0;
      rows[at] = (filtered[y * (rowBytes + 1) + 1 + x] ?? 0) + predict(left, up, corner);
    }
  }
  const read = { width, height, pixels: rows };
  return depth === 8 ? read : unpackBits(read);
};

/** Doubles the size by linear interpolation. */
export const double = ({ width, height, pixels }: GreyImage): GreyImage => {
  const doubled = new Uint8Array(4 * width * height);
  for (let y = 0; y < 2 * height; y += 1) {
    const above = Math.max(0, Math.ceil(y / 2) - 1) * width;
    const below = Math.min(height - 1, Math.max(0, Math.ceil(y / 2) - 1) + 1) * width;
    const lower = y === 0 ? 0 : y % 2 === 0 ? 0.75 : 0.25;
    for (let x = 0; x < 2 * width; x += 1) {
      const left = Math.max(0, Math.ceil(x / 2) - 1);
      const right = Math.min(width - 1, left + 1);
      const righter = x === 0 ? 0 : x % 2 === 0 ? 0.75 : 0.25;
      const top = (pixels[above + left] ?? 0) * (1 - righter) + (pixels[above + right] ?? 0) * righter;
      const bottom = (pixels[below + left] ?? 0) * (1 - righter) + (pixels[below + right] ?? 0) * righter;
      doubled[y * 2 * width + x] = top * (1 - lower) + bottom * lower + 0.5;
    }
  }
  return { width: 2 * width, height: 2 * height, pixels: doubled };
};

/** Turns by 90 degrees clockwise, as often as stated. */
export const turnQuarters = (image: GreyImage, quarters: number): GreyImage => {
  const { width, height, pixels } = image;
  if (quarters === 0) return image;
  if (quarters === 2) return { width, height, pixels: pixels.toReversed() };
  const turned = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const to = quarters === 1 ? x * height + height - 1 - y : (width - 1 - x) * height + y;
      turned[to] = pixels[y * width + x] ?? 255;
    }
  }
  return { width: height, height: width, pixels: turned };
};

/** Turns clockwise by a small angle around the centre, within the same frame grown as needed, on white paper. */
export const turn = ({ width, height, pixels }: GreyImage, degrees: number): GreyImage => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const wide = Math.ceil(width * cos + height * Math.abs(sin));
  const high = Math.ceil(width * Math.abs(sin) + height * cos);
  const turned = new Uint8Array(wide * high).fill(255);
  for (let at = 0, row = 0; row < high; row += 1) {
    const dy = row - (high - 1) / 2;
    for (let column = 0; column < wide; column += 1, at += 1) {
      const dx = column - (wide - 1) / 2;
      const x = cos * dx + sin * dy + (width - 1) / 2;
      const y = cos * dy - sin * dx + (height - 1) / 2;
      if (x < 0 || y < 0 || x >= width - 1 || y >= height - 1) continue;
      const [left, top] = [Math.floor(x), Math.floor(y)];
      const from = top * width + left;
      const above = (pixels[from] ?? 255) * (1 - x + left) + (pixels[from + 1] ?? 255) * (x - left);
      const below = (pixels[from + width] ?? 255) * (1 - x + left) + (pixels[from + width + 1] ?? 255) * (x - left);
      turned[at] = above * (1 - y + top) + below * (y - top) + 0.5;
    }
  }
  return { width: wide, height: high, pixels: turned };
};

/** Brightness of the paper in each block: the value that nine of ten of its pixels do not exceed. */
const measureLight = ({ width, height, pixels }: GreyImage) => {
  const [columns, rows] = [Math.ceil(width / blockSide), Math.ceil(height / blockSide)];
  const light = new Float64Array(columns * rows);
  const counts = new Uint32Array(256);
  for (let block = 0; block < light.length; block += 1) {
    const [fromX, fromY] = [(block % columns) * blockSide, Math.floor(block / columns) * blockSide];
    const [toX, toY] = [Math.min(width, fromX + blockSide), Math.min(height, fromY + blockSide)];
    counts.fill(0);
    for (let y = fromY; y < toY; y += 1) {
      for (let x = fromX; x < toX; x += 1) {
        const value = pixels[y * width + x] ?? 0;
        counts[value] = (counts[value] ?? 0) + 1;
      }
    }
    let rest = Math.floor((toX - fromX) * (toY - fromY) * 0.1);
    let value = 255;
    while (rest >= (counts[value] ?? 0) && value > 1) {
      rest -= counts[value] ?? 0;
      value -= 1;
    }
    light[block] = value;
  }
  return { columns, rows, light };
};

/** Divides each pixel by the light at its position; null if the light is even. */
export const flatten = (image: GreyImage): GreyImage | null => {
  const { columns, rows, light } = measureLight(image);
  const brightest = light.reduce((max, value) => Math.max(max, value), 1);
  const dim = light.reduce((count, value) => count + (value < brightest * evenLight ? 1 : 0), 0);
  if (dim * 50 < light.length) return null;
  const { width, height, pixels } = image;
  const flat = new Uint8Array(pixels.length);
  const lightAt = (row: number, column: number): number => light[row * columns + column] ?? 255;
  for (let y = 0; y < height; y += 1) {
    const row = Math.min(rows - 1, Math.max(0, y / blockSide - 0.5));
    const [top, lower] = [Math.floor(row), row % 1];
    const bottom = Math.min(rows - 1, top + 1);
    for (let x = 0; x < width; x += 1) {
      const column = Math.min(columns - 1, Math.max(0, x / blockSide - 0.5));
      const [left, righter] = [Math.floor(column), column % 1];
      const right = Math.min(columns - 1, left + 1);
      const above = lightAt(top, left) * (1 - righter) + lightAt(top, right) * righter;
      const below = lightAt(bottom, left) * (1 - righter) + lightAt(bottom, right) * righter;
      flat[y * width + x] = Math.min(
        255,
        ((pixels[y * width + x] ?? 255) * 255) / (above * (1 - lower) + below * lower),
      );
    }
  }
  return { width, height, pixels: flat };
};

import { crc32, deflateSync } from 'node:zlib';

/** Greyscale image, one byte a pixel, row by row without gaps. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** Resolution, if known. */
  readonly dotsPerInch?: number;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
};

const inchesPerMetre = 39.370_1;

/** Source: PNG, section 11.3.5.3 */
const resolutionChunk = (dotsPerInch: number): Buffer => {
  const data = Buffer.alloc(9);
  data.writeUInt32BE(Math.round(dotsPerInch * inchesPerMetre), 0);
  data.writeUInt32BE(Math.round(dotsPerInch * inchesPerMetre), 4);
  data[8] = 1;
  return pngChunk('pHYs', data);
};

/**
 * Encodes an 8-bit greyscale PNG. Each row is stored as its difference from the row above, which compresses printed
 * pages well.
 */
export const encodePng = ({ width, height, pixels, dotsPerInch }: GreyImage): Uint8Array => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    const to = y * (width + 1);
    const from = y * width;
    rows[to] = 2;
    for (let x = 0; x < width; x += 1) {
      rows[to + 1 + x] = (pixels[from + x] ?? 0) - (y === 0 ? 0 : (pixels[from - width + x] ?? 0));
    }
  }
  const data = deflateSync(rows, { level: 5 });
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    ...(dotsPerInch === undefined ? [] : [resolutionChunk(dotsPerInch)]),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
};

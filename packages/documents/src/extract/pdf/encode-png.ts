import { crc32, deflateSync } from 'node:zlib';

/** Greyscale image, one byte a pixel, row by row without gaps. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** Resolution, if known. */
  readonly dotsPerInch?: number;
}

/** Image in colour, three bytes a pixel: red, green and blue. */
export interface ColourImage extends GreyImage {
  readonly isColour: true;
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

const colourType = 2;

/**
 * Encodes a PNG with 8 bits a channel. Each row is stored as its difference from the row above, which compresses printed
 * pages well.
 */
export const encodePng = (image: GreyImage | ColourImage): Uint8Array => {
  const { width, height, pixels, dotsPerInch } = image;
  const isColour = 'isColour' in image;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = isColour ? colourType : 0;
  const rowBytes = width * (isColour ? 3 : 1);
  const rows = Buffer.alloc((rowBytes + 1) * height);
  for (let y = 0; y < height; y += 1) {
    const to = y * (rowBytes + 1);
    const from = y * rowBytes;
    rows[to] = 2;
    for (let x = 0; x < rowBytes; x += 1) {
      rows[to + 1 + x] = (pixels[from + x] ?? 0) - (y === 0 ? 0 : (pixels[from - rowBytes + x] ?? 0));
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

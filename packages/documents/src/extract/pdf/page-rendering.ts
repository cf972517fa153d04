import type { PdfiumModule } from '@hyzyla/pdfium/dist/index.cjs';
import type { PageCharacters } from './page-characters.ts';
import type { Box } from './page-painting.ts';

// A stroke of small print is a pixel wide.
const pixelsPerPoint = 1.5;
const maxPixels = 4_000_000;
const colourFormat = 3;
const bytesPerPixel = 4;
// In points around the part of the page.
const margin = 2;

/** Part of a page in pixels. */
interface Grid {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Pixels per point. */
  readonly scale: number;
}

const gridOf = (page: Pick<PageCharacters, 'width' | 'height'>, part: Box): Grid => {
  const [left, top] = [Math.max(0, part.left - margin), Math.max(0, part.top - margin)];
  const width = Math.max(1, Math.min(page.width, part.right + margin) - left);
  const height = Math.max(1, Math.min(page.height, part.bottom + margin) - top);
  const scale = Math.min(pixelsPerPoint, Math.sqrt(maxPixels / (width * height)));
  return { left, top, width: Math.ceil(width * scale), height: Math.ceil(height * scale), scale };
};

const rangeOf = (from: number, to: number, { start, scale, end }: Record<'start' | 'scale' | 'end', number>) => {
  const first = Math.floor((from - start) * scale);
  return [Math.max(0, first), Math.min(end, Math.max(first + 1, Math.ceil((to - start) * scale)))] as const;
};

/** Pixels of a part of a page. */
export class Drawing {
  readonly #grid: Grid;
  readonly #pixels: Uint8Array;

  constructor(grid: Grid, pixels: Uint8Array) {
    this.#grid = grid;
    this.#pixels = pixels;
  }

  *#offsets(box: Box): Iterable<number> {
    const { left, top, width, height, scale } = this.#grid;
    const [x1, x2] = rangeOf(box.left, box.right, { start: left, scale, end: width });
    const [y1, y2] = rangeOf(box.top, box.bottom, { start: top, scale, end: height });
    for (let y = y1; y < y2; y += 1) for (let x = x1; x < x2; x += 1) yield (y * width + x) * bytesPerPixel;
  }

  /** Whether another drawing of the same part differs by at least `least` of 255 in a colour of a pixel in a box. */
  differs(other: Drawing, box: Box, least: number): boolean {
    for (const at of this.#offsets(box)) {
      for (let channel = at; channel < at + 3; channel += 1) {
        if (Math.abs((this.#pixels[channel] ?? 0) - (other.#pixels[channel] ?? 0)) >= least) return true;
      }
    }
    return false;
  }

  /** Difference of the darkest and the lightest pixel in a box, 0 to 255. */
  contrast(box: Box): number {
    let [darkest, lightest] = [255, 0];
    for (const at of this.#offsets(box)) {
      const [blue = 0, green = 0, red = 0] = this.#pixels.subarray(at, at + 3);
      const light = (blue + 2 * green + red) / 4;
      darkest = Math.min(darkest, light);
      lightest = Math.max(lightest, light);
    }
    return Math.max(0, lightest - darkest);
  }
}

/**
 * Renders a part of an open page in colour, as its objects are now. Throws if there is no memory for it.
 * @param page Size of the page as shown.
 */
export const drawPart = (
  pdfium: PdfiumModule,
  handle: number,
  page: Pick<PageCharacters, 'width' | 'height'>,
  part: Box,
): Drawing => {
  const grid = gridOf(page, part);
  const { left, top, width, height, scale } = grid;
  const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, colourFormat, 0, 0);
  if (bitmap === 0) throw new RangeError('There is no memory for a rendering');
  pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
  const start = [-Math.round(left * scale), -Math.round(top * scale)] as const;
  const whole = [Math.round(page.width * scale), Math.round(page.height * scale)] as const;
  pdfium._FPDF_RenderPageBitmap(bitmap, handle, ...start, ...whole, 0, 0);
  const stride = pdfium._FPDFBitmap_GetStride(bitmap);
  const from = pdfium._FPDFBitmap_GetBuffer(bitmap);
  const pixels = new Uint8Array(width * height * bytesPerPixel);
  for (let y = 0; y < height; y += 1) {
    const row = pdfium.HEAPU8.subarray(from + y * stride, from + y * stride + width * bytesPerPixel);
    pixels.set(row, y * width * bytesPerPixel);
  }
  pdfium._FPDFBitmap_Destroy(bitmap);
  return new Drawing(grid, pixels);
};

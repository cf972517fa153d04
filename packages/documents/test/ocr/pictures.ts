import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ColorType,
  CompressionMethod,
  Density,
  DensityUnit,
  ImageMagick,
  initializeImageMagick,
  MagickFormat,
  MagickImageCollection,
} from '@imagemagick/magick-wasm';
import { lazy } from '../../../../shared/kernel/memoize.ts';
import { encodePng, type GreyImage } from '../../src/extract/pdf/encode-png.ts';
import { withPdf } from '../../src/extract/pdf/open-pdf.ts';
import { buildPdf } from '../../../../test/support/make-pdf.ts';

const wasmPath = join(import.meta.dirname, '../../../../node_modules/@hyzyla/pdfium/dist/pdfium.wasm');

const magickPath = join(import.meta.dirname, '../../../../node_modules/@imagemagick/magick-wasm/dist/x86/magick.wasm');

const paper: PDFKit.PDFDocumentOptions = { size: [420, 300], margin: 40 };

const compiled = lazy(async () => WebAssembly.compile(await readFile(wasmPath)));

/** First page of a PDF, drawn at so many dots per inch. */
export const drawPdf = async (pdf: Uint8Array, dpi: number): Promise<GreyImage> =>
  withPdf(await compiled(), pdf, (open) => open.drawPage(1, dpi, 25_000_000));

/** A text as black letters on white, drawn at so many dots per inch. */
export const drawText = async (text: string, dpi = 150, font = 'Times-Roman'): Promise<GreyImage> =>
  drawPdf(await buildPdf((document) => document.font(font).fontSize(15).text(text), paper), dpi);

/** A PDF whose pages are pictures. */
export const bindPdf = (pictures: readonly Uint8Array[]): Promise<Buffer> =>
  buildPdf((document) => {
    for (const [at, picture] of pictures.entries()) {
      if (at > 0) document.addPage();
      document.image(Buffer.from(picture), 0, 0, { width: 420 });
    }
  }, paper);

/** A PDF whose pages are pictures of texts, as a scanner makes it. */
export const scan = async (pages: readonly string[]): Promise<Buffer> =>
  bindPdf(await Promise.all(pages.map(async (text) => encodePng(await drawText(text)))));

/** A picture as PNG. */
export const toPng = (image: GreyImage): Uint8Array => encodePng(image);

/** Simulates a photograph of paper under one lamp: dark towards one corner, with noise from a fixed seed. */
export const photograph = ({ width, height, pixels }: GreyImage): GreyImage => {
  let state = 1;
  const noise = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 14;
  };
  const shaded = pixels.map((pixel, at) => {
    const far = ((at % width) / width + Math.floor(at / width) / height) / 2;
    return Math.max(0, Math.min(255, (40 + pixel * 0.8) * (1 - 0.8 * far) + noise()));
  });
  return { width, height, pixels: shaded };
};

/** White where it was black. */
export const invert = ({ width, height, pixels }: GreyImage): GreyImage => ({
  width,
  height,
  pixels: pixels.map((pixel) => 255 - pixel),
});

/** Upside down, as a page that was laid into the scanner the wrong way. */
export const turn = ({ width, height, pixels }: GreyImage): GreyImage => ({
  width,
  height,
  pixels: pixels.toReversed(),
});

/** Turned clockwise around its centre, on paper that is large enough, by linear interpolation. */
export const rotate = ({ width, height, pixels }: GreyImage, degrees: number): GreyImage => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const wide = Math.round(Math.abs(width * cos) + Math.abs(height * sin));
  const high = Math.round(Math.abs(width * sin) + Math.abs(height * cos));
  const turned = new Uint8Array(wide * high);
  const paper = pixels[0] ?? 255;
  const pixelAt = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? paper : (pixels[y * width + x] ?? paper);
  for (let at = 0; at < turned.length; at += 1) {
    const [dx, dy] = [(at % wide) - (wide - 1) / 2, Math.floor(at / wide) - (high - 1) / 2];
    const [x, y] = [cos * dx + sin * dy + (width - 1) / 2, cos * dy - sin * dx + (height - 1) / 2];
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const above = pixelAt(left, top) * (1 - x + left) + pixelAt(left + 1, top) * (x - left);
    const below = pixelAt(left, top + 1) * (1 - x + left) + pixelAt(left + 1, top + 1) * (x - left);
    turned[at] = above * (1 - y + top) + below * (y - top);
  }
  return { width: wide, height: high, pixels: turned };
};

/** Nothing but paper. */
export const blank = (width: number, height: number): GreyImage => ({
  width,
  height,
  pixels: new Uint8Array(width * height).fill(255),
});

/** Black and white alone, and still 8 bits a pixel. */
export const twoTone = ({ width, height, pixels }: GreyImage): GreyImage => ({
  width,
  height,
  pixels: pixels.map((pixel) => (pixel < 128 ? 0 : 255)),
});

const start = lazy(async () => initializeImageMagick(await readFile(magickPath)));

/** A PNG of 1 bit a pixel, as scanners and drawing programs write line art. */
export const toBitPng = async (image: GreyImage): Promise<Uint8Array> => {
  await start();
  const png = ImageMagick.read(encodePng(twoTone(image)), (read) => {
    read.colorType = ColorType.Bilevel;
    return read.write(MagickFormat.Png, (data) => Uint8Array.from(data));
  });
  if (png[24] !== 1) throw new Error(`${png[24]} bits a pixel`);
  return png;
};

/** A PNG in shades of gray that states its resolution, of any picture. */
export const toGrayPng = async (picture: Uint8Array, dotsPerInch: number): Promise<Uint8Array> => {
  await start();
  return ImageMagick.read(picture, (read) => {
    read.colorType = ColorType.Grayscale;
    read.density = new Density(dotsPerInch, dotsPerInch, DensityUnit.PixelsPerInch);
    read.quality = 95;
    return read.write(MagickFormat.Png, (data) => Uint8Array.from(data));
  });
};

/** A fax: a TIFF of 1 bit a pixel in CCITT group 4, with a page for each picture. */
export const toFax = async (images: readonly GreyImage[]): Promise<Uint8Array> => {
  await start();
  const pages = MagickImageCollection.create();
  try {
    for (const image of images) {
      const [page] = MagickImageCollection.create(encodePng(twoTone(image)));
      if (page === undefined) throw new Error('no page');
      page.colorType = ColorType.Bilevel;
      page.setCompression(CompressionMethod.Group4);
      pages.push(page);
    }
    return pages.write(MagickFormat.Tiff, (data) => Uint8Array.from(data));
  } finally {
    pages.dispose();
  }
};

/** An image in another format. */
export const toImage = async (
  image: GreyImage,
  format: 'Png' | 'Jpeg' | 'Gif' | 'Bmp' | 'Tiff' | 'WebP' | 'Avif',
): Promise<Uint8Array> => {
  await start();
  return ImageMagick.read(encodePng(image), (read) =>
    read.write(MagickFormat[format], (data) => Uint8Array.from(data)),
  );
};

/** A GIF that shows images one after the other. */
export const toAnimation = async (images: readonly GreyImage[]): Promise<Uint8Array> => {
  await start();
  const frames = MagickImageCollection.create();
  try {
    for (const image of images) for (const frame of MagickImageCollection.create(encodePng(image))) frames.push(frame);
    return frames.write(MagickFormat.Gif, (data) => Uint8Array.from(data));
  } finally {
    frames.dispose();
  }
};

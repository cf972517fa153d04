import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ColorType,
  CompressionMethod,
  ImageMagick,
  initializeImageMagick,
  MagickFormat,
  MagickImageCollection,
} from '@imagemagick/magick-wasm';
import { lazy } from '../../shared/kernel/memoize.ts';
import { encodePng, type GreyImage } from '../../shared/platform/extract/pdf/encode-png.ts';
import { withPdf } from '../../shared/platform/extract/pdf/open-pdf.ts';
import { buildPdf } from '../support/make-pdf.ts';

const wasmPath = join(import.meta.dirname, '../../node_modules/@hyzyla/pdfium/dist/pdfium.wasm');

const magickPath = join(import.meta.dirname, '../../node_modules/@imagemagick/magick-wasm/dist/x86/magick.wasm');

const paper: PDFKit.PDFDocumentOptions = { size: [420, 300], margin: 40 };

const compiled = lazy(async () => WebAssembly.compile(await readFile(wasmPath)));

/** A text as black letters on white, drawn at so many dots per inch. */
export const drawText = async (text: string, dpi = 150): Promise<GreyImage> => {
  const pdf = await buildPdf((document) => document.font('Times-Roman').fontSize(15).text(text), paper);
  return withPdf(await compiled(), pdf, (open) => open.drawPage(1, dpi, 25_000_000));
};

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

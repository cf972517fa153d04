import { join } from 'node:path';
import { readerFiles } from './assets.ts';
import { detectFormat } from './detect-format.ts';
import { formats, type Format } from './formats.ts';
import { imageDrawers } from './media/read-image.ts';
import { pdfDrawer } from './pdf/read-pdf.ts';
import { UnreadableFile, type PageRequest, type SourceFile } from './port.ts';

/** Draws a page of a file as a PNG within `shownBounds`; null beyond the last page. Throws `UnreadableFile`. */
export type PageDrawer = (bytes: Uint8Array, page: PageRequest) => Promise<Uint8Array | null>;

const drawersOf = (assetsDirectory: string): Readonly<Partial<Record<Format, PageDrawer>>> => {
  const image = imageDrawers(join(assetsDirectory, readerFiles.magick));
  return {
    pdf: pdfDrawer(join(assetsDirectory, readerFiles.pdfium)),
    png: image('Png'),
    jpeg: image('Jpeg'),
    tiff: image('Tiff'),
    webp: image('WebP'),
    gif: image('Gif'),
    bmp: image('Bmp'),
    heic: image('Heic'),
    avif: image('Avif'),
  };
};

/**
 * Creates the function that draws pages of files.
 * @param assetsDirectory Holds `readerFiles`: `node_modules`, or a directory beside a bundle.
 */
export const createPageDrawer = (
  assetsDirectory: string,
): ((file: SourceFile, page: PageRequest) => Promise<Uint8Array | null>) => {
  const drawers = drawersOf(assetsDirectory);
  return async (file, page) => {
    const { format } = await detectFormat(file);
    const draw = drawers[format];
    if (draw === undefined)
      throw new UnreadableFile(`Pages of a file of the format ${formats[format].name} have no pictures`);
    return draw(file.bytes, page);
  };
};

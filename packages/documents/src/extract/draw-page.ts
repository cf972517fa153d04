import { join } from 'node:path';
import { readerFiles } from './assets.ts';
import { detectFormat } from './detect-format.ts';
import { formats, type Format } from './formats.ts';
import { imageDrawers } from './media/read-image.ts';
import { pdfDrawer } from './pdf/read-pdf.ts';
import { UnreadableFile, type PageDrawer, type PageRenderer } from './port.ts';
import { createAttachmentFinder } from './read-file.ts';

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
 * Creates the function that draws pages of files, and of files within them.
 * @param assetsDirectory Holds `readerFiles`: `node_modules`, or a directory beside a bundle.
 */
export const createPageDrawer = (assetsDirectory: string): PageRenderer['draw'] => {
  const drawers = drawersOf(assetsDirectory);
  const find = createAttachmentFinder(assetsDirectory);
  return async (file, page) => {
    const { attachment } = page;
    const found = attachment === undefined ? [file] : await find(file, attachment);
    const [shown] = found;
    if (shown === undefined) throw new UnreadableFile('The file contains no file with this name');
    if (found.length > 1) throw new UnreadableFile('The file contains several files with this name');
    const { format } = await detectFormat({ ...shown, maySupplyRows: false });
    const draw = drawers[format];
    if (draw === undefined)
      throw new UnreadableFile(`Pages of a file of the format ${formats[format].name} have no pictures`);
    return draw(shown.bytes, page);
  };
};

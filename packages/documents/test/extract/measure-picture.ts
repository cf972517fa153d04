import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ImageMagick, initializeImageMagick } from '@imagemagick/magick-wasm';
import { lazy } from '../../../../shared/kernel/memoize.ts';
import { readerFiles } from '../../src/extract/assets.ts';
import type { Region } from '../../src/extract/port.ts';
import { packages } from './read.ts';

const start = lazy(async () => initializeImageMagick(await readFile(join(packages, readerFiles.magick))));

/** Size of a PNG, and the share of dark pixels among those in boxes of it and outside of them. */
export const measurePicture = async (png: Uint8Array, boxes: readonly Region[]) => {
  await start();
  return ImageMagick.read(png, (image) => {
    const { width, height } = image;
    image.grayscale();
    const counts = { inside: { dark: 0, all: 0 }, outside: { dark: 0, all: 0 } };
    image.getPixels((pixels) => {
      for (let y = 0; y < height; y += 1) {
        const row = pixels.getArea(0, y, width, 1);
        for (let x = 0; x < width; x += 1) {
          const isInside = boxes.some(
            (box) =>
              x >= box.left * width - 1 &&
              x <= (box.left + box.width) * width + 1 &&
              y >= box.top * height - 1 &&
              y <= (box.top + box.height) * height + 1,
          );
          const count = counts[isInside ? 'inside' : 'outside'];
          count.all += 1;
          if ((row[(x * row.length) / width] ?? 255) < 128) count.dark += 1;
        }
      }
    });
    return { width, height, ...counts };
  });
};

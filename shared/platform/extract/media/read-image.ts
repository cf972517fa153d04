import { readFile } from 'node:fs/promises';
import type * as MagickModule from '@imagemagick/magick-wasm';
import type { IMagickImage } from '@imagemagick/magick-wasm';
import { lazy } from '../../../kernel/memoize.ts';
import type { FormatReader } from '../format.ts';
import { pictureBounds, UnreadableFile, type Picture } from '../port.ts';

type Magick = typeof MagickModule;

/** Kinds of images, by the name of their decoder: no other one is ever tried on a file. */
export type ImageKind = 'Png' | 'Jpeg' | 'Tiff' | 'WebP';

const mostPixels = 80_000_000;
const mostFrames = 2_000;
const jpegQuality = 88;
/** Rows of pixels among which a strip of a high image may end. */
const cutRows = 1_000;

const load = async (wasmPath: string): Promise<Magick> => {
  const magick = await import('@imagemagick/magick-wasm');
  await magick.initializeImageMagick(await readFile(wasmPath));
  magick.ResourceLimits.area = BigInt(mostPixels);
  magick.ResourceLimits.width = 100_000n;
  magick.ResourceLimits.height = 100_000n;
  magick.ResourceLimits.listLength = BigInt(mostFrames);
  magick.ResourceLimits.disk = 0n;
  return magick;
};

const settingsFor = ({ MagickReadSettings, MagickFormat }: Magick, kind: ImageKind, frame?: number) =>
  new MagickReadSettings({
    format: MagickFormat[kind],
    ...(frame !== undefined && { frameIndex: frame, frameCount: 1 }),
  });

/** Number of images in a file, judged by its headers before one pixel is decoded. */
const countFrames = (magick: Magick, bytes: Uint8Array, kind: ImageKind): number => {
  const frames = magick.MagickImageCollection.create();
  try {
    frames.ping(bytes, settingsFor(magick, kind));
    for (const { width, height } of frames) {
      if (width * height <= mostPixels) continue;
      const [size, most] = [Math.round((width * height) / 1e6), mostPixels / 1e6];
      throw new UnreadableFile(
        `The image has ${size} megapixels (${width} × ${height}), more than the ${most} that can be read`,
      );
    }
    return frames.length;
  } finally {
    frames.dispose();
  }
};

/** As large as it may be but for its height, upright, grey, on white where it is transparent: what recognition wants. */
const normalize = ({ AlphaAction, MagickColors }: Magick, image: IMagickImage): void => {
  const scale = Math.sqrt(pictureBounds.pixels / (image.width * image.height));
  if (scale < 1) image.resize(Math.floor(image.width * scale), Math.floor(image.height * scale));
  image.autoOrient();
  const { side } = pictureBounds;
  if (image.width > side) image.resize(side, Math.max(1, Math.floor((image.height * side) / image.width)));
  image.backgroundColor = MagickColors.White;
  if (image.hasAlpha) image.alpha(AlphaAction.Remove);
  image.grayscale();
  image.strip();
  image.depth = 8;
};

const encode = ({ MagickFormat }: Magick, image: IMagickImage): Pick<Picture, 'bytes' | 'mediaType'> => {
  // Otherwise an image of two shades has 1 bit a pixel and one of four 2, whatever its depth says.
  image.settings.setDefine(MagickFormat.Png, 'bit-depth', '8');
  const png = image.write(MagickFormat.Png, (data) => new Uint8Array(data));
  if (png.length <= pictureBounds.bytes) return { bytes: png, mediaType: 'image/png' };
  image.quality = jpegQuality;
  const jpeg = image.write(MagickFormat.Jpeg, (data) => new Uint8Array(data));
  if (jpeg.length > pictureBounds.bytes) throw new UnreadableFile('The image holds more detail than can be read');
  return { bytes: jpeg, mediaType: 'image/jpeg' };
};

/** Of some rows of pixels the last of those with the least on them: between two lines of text rather than in one. */
const emptiestRow = (image: IMagickImage, top: number, rows: number): number =>
  image.getPixels((pixels) => {
    const area = pixels.getArea(0, top, image.width, rows);
    const contrasts = Array.from({ length: rows }, (_, row) => {
      const line = area.subarray((row * area.length) / rows, ((row + 1) * area.length) / rows);
      return (
        line.reduce((most, value) => Math.max(most, value), 0) - line.reduce((least, value) => Math.min(least, value))
      );
    });
    return top + contrasts.lastIndexOf(Math.min(...contrasts));
  });

/** What of an image that is too high, such as one of a whole web page, is read at once: its first row, and their number. */
const stripsOf = (image: IMagickImage): readonly (readonly [top: number, height: number])[] => {
  const { side } = pictureBounds;
  const strips: [number, number][] = [];
  let top = 0;
  while (image.height - top > side) {
    const height = emptiestRow(image, top + side - cutRows, cutRows) + 1 - top;
    strips.push([top, height]);
    top += height;
  }
  return [...strips, [top, image.height - top]];
};

const decode = (
  magick: Magick,
  bytes: Uint8Array,
  kind: ImageKind,
  frame: number,
): readonly Pick<Picture, 'bytes' | 'mediaType'>[] =>
  magick.ImageMagick.read(bytes, settingsFor(magick, kind, frame), (image) => {
    normalize(magick, image);
    const strips = stripsOf(image);
    if (strips.length === 1) return [encode(magick, image)];
    return strips.map(([top, height]) =>
      image.clone((strip) => {
        strip.crop(new magick.MagickGeometry(0, top, image.width, height));
        strip.resetPage();
        return encode(magick, strip);
      }),
    );
  });

const explained = <Result>(work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile("The image is damaged and can't be decoded", error);
  }
};

/**
 * Readers of images: every image of a file is a unit, and a page where there are several. A high one is several pictures.
 * @param wasmPath Where `magick.wasm` lies.
 */
export const imageReaders = (wasmPath: string): ((kind: ImageKind) => FormatReader) => {
  const loaded = lazy(() => load(wasmPath));
  return (kind) =>
    async ({ bytes }) => {
      const magick = await loaded();
      const frames =
        kind === 'Tiff'
          ? explained(() => countFrames(magick, bytes, kind))
          : explained(() => Math.min(1, countFrames(magick, bytes, kind)));
      const isPaged = frames > 1;
      const picturesOf = (frame: number): readonly Picture[] => {
        const page = isPaged ? frame + 1 : null;
        const section = { pageStart: page, pageEnd: page, headingPath: [], place: {} };
        const pictures = explained(() => decode(magick, bytes, kind, frame));
        return pictures.map((picture) => ({ kind: 'picture', ...picture, section }));
      };
      return {
        units: frames,
        paged: isPaged,
        notes: [],
        pictures: true,
        read: async ({ start, end }) =>
          Array.from({ length: Math.max(0, Math.min(end, frames) - start + 1) }, (_, index) =>
            picturesOf(start - 1 + index),
          ).flat(),
      };
    };
};

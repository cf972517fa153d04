import { readFile } from 'node:fs/promises';
import type * as MagickModule from '@imagemagick/magick-wasm';
import type { IMagickImage } from '@imagemagick/magick-wasm';
import { lazy } from '../../../../../shared/kernel/memoize.ts';
import type { FormatReader } from '../format.ts';
import { pictureBounds, shownBounds, UnreadableFile, type PageDrawer, type Picture } from '../port.ts';

type Magick = typeof MagickModule;

/** Kinds of images by the name of their decoder. No other decoder is ever used. */
export type ImageKind = 'Png' | 'Jpeg' | 'Tiff' | 'WebP' | 'Gif' | 'Bmp' | 'Heic' | 'Avif';

const maxPixels = 80_000_000;
const maxFrames = 2_000;
const jpegQuality = 88;
/** Rows of pixels in which a strip of a tall image may end. */
const cutRows = 1_000;

const load = async (wasmPath: string): Promise<Magick> => {
  const magick = await import('@imagemagick/magick-wasm');
  await magick.initializeImageMagick(await readFile(wasmPath));
  magick.ResourceLimits.area = BigInt(maxPixels);
  magick.ResourceLimits.width = 100_000n;
  magick.ResourceLimits.height = 100_000n;
  magick.ResourceLimits.listLength = BigInt(maxFrames);
  magick.ResourceLimits.disk = 0n;
  return magick;
};

const settingsFor = ({ MagickReadSettings, MagickFormat }: Magick, kind: ImageKind, frame?: number) =>
  new MagickReadSettings({
    format: MagickFormat[kind],
    ...(frame !== undefined && { frameIndex: frame, frameCount: 1 }),
  });

/** Counts the images in a file by its headers, before any pixel is decoded. */
const countFrames = (magick: Magick, bytes: Uint8Array, kind: ImageKind): number => {
  const frames = magick.MagickImageCollection.create();
  try {
    frames.ping(bytes, settingsFor(magick, kind));
    for (const { width, height } of frames) {
      if (width * height <= maxPixels) continue;
      const [size, max] = [Math.round((width * height) / 1e6), maxPixels / 1e6];
      throw new UnreadableFile(
        `The image has ${size} megapixels (${width} × ${height}), more than the ${max} that can be read`,
      );
    }
    return frames.length;
  } finally {
    frames.dispose();
  }
};

const centimetresPerInch = 2.54;

/** Resolution that an image states, in dots per inch; 0 if it states none. */
const resolutionOf = ({ DensityUnit }: Magick, { density }: IMagickImage): number => {
  if (density.units === DensityUnit.Undefined) return 0;
  return density.units === DensityUnit.PixelsPerCentimeter ? density.y * centimetresPerInch : density.y;
};

/**
 * Prepares an image for OCR: within the bounds except for its height, upright, grey, with a white background. It keeps
 * its resolution.
 */
const normalize = (magick: Magick, image: IMagickImage): void => {
  const { AlphaAction, MagickColors, Density, DensityUnit } = magick;
  const dotsPerInch = resolutionOf(magick, image) / image.width;
  const sides = [image.width, image.height] as const;
  const scale = Math.sqrt(pictureBounds.pixels / (image.width * image.height));
  if (scale < 1) image.resize(Math.floor(image.width * scale), Math.floor(image.height * scale));
  image.autoOrient();
  const { side } = pictureBounds;
  if (image.width > side) image.resize(side, Math.max(1, Math.floor((image.height * side) / image.width)));
  image.backgroundColor = MagickColors.White;
  if (image.hasAlpha) image.alpha(AlphaAction.Remove);
  image.grayscale();
  image.strip();
  // Turning it upright may have swapped its sides.
  const width = image.width > image.height === sides[0] > sides[1] ? image.width : image.height;
  image.density = new Density(Math.round(dotsPerInch * width), DensityUnit.PixelsPerInch);
  image.depth = 8;
};

const encode = ({ MagickFormat }: Magick, image: IMagickImage): Pick<Picture, 'bytes' | 'mediaType'> => {
  // Otherwise an image of two shades would have 1 bit a pixel, and one of four shades 2.
  image.settings.setDefine(MagickFormat.Png, 'bit-depth', '8');
  // Its resolution, which stripping would leave out.
  image.settings.setDefine(MagickFormat.Png, 'include-chunk', 'pHYs');
  const png = image.write(MagickFormat.Png, (data) => new Uint8Array(data));
  if (png.length <= pictureBounds.bytes) return { bytes: png, mediaType: 'image/png' };
  image.quality = jpegQuality;
  const jpeg = image.write(MagickFormat.Jpeg, (data) => new Uint8Array(data));
  if (jpeg.length > pictureBounds.bytes) throw new UnreadableFile('The image contains more detail than can be read');
  return { bytes: jpeg, mediaType: 'image/jpeg' };
};

/** Last of the emptiest rows among some rows of pixels: between two lines of text rather than in one. */
const emptiestRow = (image: IMagickImage, top: number, rows: number): number =>
  image.getPixels((pixels) => {
    const area = pixels.getArea(0, top, image.width, rows);
    const contrasts = Array.from({ length: rows }, (_, row) => {
      const line = area.subarray((row * area.length) / rows, ((row + 1) * area.length) / rows);
      return line.reduce((max, value) => Math.max(max, value), 0) - line.reduce((min, value) => Math.min(min, value));
    });
    return top + contrasts.lastIndexOf(Math.min(...contrasts));
  });

/**
 * Splits an image that is too tall, such as one of a whole web page. Returns the first row and the height of each
 * strip.
 */
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

/**
 * Whether a JPEG ends before its end marker. The decoder would fill the rest of the picture with gray. Source: ITU-T
 * T.81, B.1.1
 */
const isCutOff = (bytes: Uint8Array): boolean => {
  for (let at = 2; at + 1 < bytes.length;) {
    if (bytes[at] !== 0xff) {
      // Pixels, which continue up to the next marker.
      at = bytes.indexOf(0xff, at);
      if (at === -1) return true;
      continue;
    }
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xd9) return false;
    if (marker === 0xff) at += 1;
    else if (marker <= 1 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else at += 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0);
  }
  return true;
};

const explained = <Result>(work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile("The image is damaged and can't be decoded", error);
  }
};

/** Number of images of a file that are pages. Of an animation, it is the first. */
const pagesOf = (kind: ImageKind, found: number): number => (kind === 'Tiff' ? found : Math.min(1, found));

/** Encodes an image as people see it: upright, in its colours, within the width and `shownBounds`. */
const encodeShown = ({ MagickFormat }: Magick, image: IMagickImage, width: number): Uint8Array => {
  image.autoOrient();
  image.strip();
  image.depth = 8;
  for (let share = 1; ; share *= 0.7) {
    const scale =
      Math.min(1, width / image.width, Math.sqrt(shownBounds.pixels / (image.width * image.height))) * share;
    if (scale < 1)
      image.resize(Math.max(1, Math.round(image.width * scale)), Math.max(1, Math.round(image.height * scale)));
    const png = image.write(MagickFormat.Png, (data) => new Uint8Array(data));
    if (png.length <= shownBounds.bytes) return png;
  }
};

/**
 * Creates drawers of images. Each image is a page.
 * @param wasmPath Path of `magick.wasm`.
 */
export const imageDrawers = (wasmPath: string): ((kind: ImageKind) => PageDrawer) => {
  const loaded = lazy(() => load(wasmPath));
  return (kind) =>
    async (bytes, { page, width }) => {
      const magick = await loaded();
      return explained(() => {
        const pages = pagesOf(kind, countFrames(magick, bytes, kind));
        if (page > pages) return { pages, png: null };
        const png = magick.ImageMagick.read(bytes, settingsFor(magick, kind, page - 1), (image) =>
          encodeShown(magick, image, width),
        );
        return { pages, png };
      });
    };
};

/**
 * Creates readers of images. Every image of a file is a page. Of an animation, the first image is read. A tall image
 * becomes several pictures.
 * @param wasmPath Path of `magick.wasm`.
 */
export const imageReaders = (wasmPath: string): ((kind: ImageKind) => FormatReader) => {
  const loaded = lazy(() => load(wasmPath));
  return (kind) =>
    async ({ bytes }) => {
      const magick = await loaded();
      if (kind === 'Jpeg' && isCutOff(bytes)) throw new UnreadableFile('The image is incomplete: upload it again');
      const found = explained(() => countFrames(magick, bytes, kind));
      const frames = pagesOf(kind, found);
      const isAnimated = found > frames && (kind === 'Gif' || kind === 'WebP');
      const picturesOf = (frame: number): readonly Picture[] => {
        const section = { pageStart: frame + 1, pageEnd: frame + 1, headingPath: [], place: {} };
        const pictures = explained(() => decode(magick, bytes, kind, frame));
        const isWholePage = pictures.length === 1;
        return pictures.map((picture) => ({ kind: 'picture', ...picture, isWholePage, section }));
      };
      return {
        units: frames,
        paged: true,
        notes: isAnimated ? [`The image is an animation: the first of its ${found} images was read.`] : [],
        pictures: true,
        read: async ({ start, end }) =>
          Array.from({ length: Math.max(0, Math.min(end, frames) - start + 1) }, (_, index) =>
            picturesOf(start - 1 + index),
          ).flat(),
      };
    };
};

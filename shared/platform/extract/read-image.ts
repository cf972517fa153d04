import { readFile } from 'node:fs/promises';
import type * as MagickModule from '@imagemagick/magick-wasm';
import type { IMagickImage } from '@imagemagick/magick-wasm';
import { lazily } from '../../kernel/made-once.ts';
import type { FormatReader } from './format.ts';
import { pictureBounds, UnreadableFile, type Picture } from './port.ts';

type Magick = typeof MagickModule;

/** Kinds of images, by the name of their decoder: no other one is ever tried on a file. */
export type ImageKind = 'Png' | 'Jpeg' | 'Tiff' | 'WebP';

const mostPixels = 80_000_000;
const mostFrames = 2_000;
const jpegQuality = 88;

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

/** As large as it may be, upright, grey, on white where it is transparent: what recognition wants. */
const normalize = ({ AlphaAction, MagickColors }: Magick, image: IMagickImage): void => {
  const scale = Math.sqrt(pictureBounds.pixels / (image.width * image.height));
  if (scale < 1) image.resize(Math.floor(image.width * scale), Math.floor(image.height * scale));
  image.autoOrient();
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

const decode = (
  magick: Magick,
  bytes: Uint8Array,
  kind: ImageKind,
  frame: number,
): Pick<Picture, 'bytes' | 'mediaType'> =>
  magick.ImageMagick.read(bytes, settingsFor(magick, kind, frame), (image) => {
    normalize(magick, image);
    return encode(magick, image);
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
 * Readers of images: every image of a file is a unit, and a page where there are several.
 * @param wasmPath Where `magick.wasm` lies.
 */
export const imageReaders = (wasmPath: string): ((kind: ImageKind) => FormatReader) => {
  const loaded = lazily(() => load(wasmPath));
  return (kind) =>
    async ({ bytes }) => {
      const magick = await loaded();
      const frames =
        kind === 'Tiff'
          ? explained(() => countFrames(magick, bytes, kind))
          : explained(() => Math.min(1, countFrames(magick, bytes, kind)));
      const isPaged = frames > 1;
      const pictureOf = (frame: number): Picture => {
        const page = isPaged ? frame + 1 : null;
        const section = { pageStart: page, pageEnd: page, headingPath: [], place: {} };
        return { kind: 'picture', ...explained(() => decode(magick, bytes, kind, frame)), section };
      };
      return {
        units: frames,
        paged: isPaged,
        notes: [],
        pictures: true,
        read: async ({ start, end }) =>
          Array.from({ length: Math.max(0, Math.min(end, frames) - start + 1) }, (_, index) =>
            pictureOf(start - 1 + index),
          ),
      };
    };
};

import type { GreyImage } from '../extract/pdf/encode-png.ts';
import { brightenPanels, isInverted, removeRules } from './clean-page.ts';
import { type Blob, findBlobs, findInk } from './ink.ts';
import { letterHeight, lettersInWords, lettersOf, measureLie } from './letters.ts';
import { double, flatten, turn, turnQuarters } from './page-image.ts';

/** Width in pixels below which letters are assumed to be too small for the model, if none are found. */
const smallWidth = 1_200;
/** Height of letters in pixels below which the image is doubled. */
const smallLetters = 14;
const maxPixels = 25_000_000;

/** Returns the point of the picture that a point of a prepared page shows, in shares of the picture. */
export type ToSource = (x: number, y: number) => readonly [x: number, y: number];

/** A page as the engine reads it. */
export interface Page {
  readonly image: GreyImage;
  readonly letters: readonly Blob[];
  readonly dotsPerInch: number;
  readonly toSource: ToSource;
  /** Quarter turns clockwise by which it was turned upright. */
  readonly quarters: number;
}

/**
 * Resolution for the engine, which expects letters of 10 to 12 points. A stated resolution that contradicts the size of
 * the letters, such as the 72 dpi of many photographs, does not count.
 */
const resolutionFor = (stated: number | null, height: number | null): number => {
  const estimate = Math.max(100, Math.min(600, Math.round((height ?? 20) * 12)));
  return stated !== null && stated > estimate * 0.45 && stated < estimate * 2.2 ? Math.round(stated) : estimate;
};

const invert = ({ width, height, pixels }: GreyImage): GreyImage => ({
  width,
  height,
  pixels: pixels.map((pixel) => 255 - pixel),
});

/** Returns the way back from a page that was turned by quarters, and then by a small angle. */
const openToSource = (
  upright: GreyImage,
  turned: GreyImage,
  { quarters, degrees }: { readonly quarters: number; readonly degrees: number },
): ToSource => {
  const angle = (-degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return (column, row) => {
    const [dx, dy] = [column - turned.width / 2, row - turned.height / 2];
    const x = (cos * dx + sin * dy + upright.width / 2) / upright.width;
    const y = (cos * dy - sin * dx + upright.height / 2) / upright.height;
    if (quarters === 1) return [y, 1 - x];
    if (quarters === 2) return [1 - x, 1 - y];
    return quarters === 3 ? [1 - y, x] : [x, y];
  };
};

/**
 * Prepares a page: dark letters of sufficient size on even white paper, upright, without rules.
 * @param quarters Quarter turns that make it upright, if they are known.
 */
export const preparePage = (source: GreyImage, stated: number | null, quarters: number | null = null): Page => {
  const positive = isInverted(source) ? invert(source) : { ...source, pixels: source.pixels.slice() };
  brightenPanels(positive);
  const even = flatten(positive) ?? positive;
  const found = findBlobs(findInk(even));
  const foundHeight = letterHeight(found);
  const isSmall = foundHeight === null ? even.width < smallWidth : foundHeight < smallLetters;
  const isDoubled = isSmall && even.pixels.length * 4 <= maxPixels;
  const lie =
    foundHeight === null
      ? { quarters: quarters ?? 0, degrees: 0 }
      : measureLie(lettersOf(found, foundHeight), foundHeight, quarters);
  const upright = turnQuarters(isDoubled ? double(even) : even, lie.quarters);
  const image = lie.degrees === 0 ? upright : turn(upright, -lie.degrees);
  const ink = findInk(image);
  const height = foundHeight === null ? null : foundHeight * (isDoubled ? 2 : 1);
  if (height !== null) removeRules(image, ink, height);
  const letters = height === null ? [] : lettersInWords(lettersOf(findBlobs(ink), height), height);
  const scale = isDoubled ? 2 : 1;
  const dotsPerInch = resolutionFor(stated === null ? null : stated * scale, height);
  return { image, letters, dotsPerInch, toSource: openToSource(upright, image, lie), quarters: lie.quarters };
};

/** Turns a page upside down. */
export const turnOver = ({ letters, toSource, quarters, ...page }: Page): Page => {
  const image = turnQuarters(page.image, 2);
  const { width, height } = image;
  return {
    ...page,
    image,
    letters: letters.map(({ left, top, right, bottom, area }) => ({
      left: width - right,
      top: height - bottom,
      right: width - left,
      bottom: height - top,
      area,
    })),
    toSource: (x, y) => toSource(width - x, height - y),
    quarters: (quarters + 2) % 4,
  };
};

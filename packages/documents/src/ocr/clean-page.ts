import type { GreyImage } from '../extract/pdf/encode-png.ts';
import { type Box, findBlobs, findInk, heightOf, type Ink, widthOf } from './ink.ts';

/** One direction of an image: steps between its lines, and between the pixels of a line. */
interface Direction {
  readonly lines: number;
  readonly length: number;
  readonly across: number;
  readonly along: number;
}

/** Thickness of the ink at a pixel across a direction, counted up to one more than `max`. */
const thicknessAt = ({ bits }: Ink, { lines, across }: Direction, at: number, line: number, max: number): number => {
  let thickness = 1;
  for (let up = 1; up <= max && up <= line && bits[at - up * across] === 1; up += 1) thickness += 1;
  for (let down = 1; down <= max && line + down < lines && bits[at + down * across] === 1; down += 1) thickness += 1;
  return thickness;
};

/** Pixels of long, thin ink in one direction. */
const rulePixels = (ink: Ink, direction: Direction, minLength: number, maxThickness: number): readonly number[] => {
  const { lines, length, across, along } = direction;
  const found: number[] = [];
  for (let line = 0; line < lines; line += 1) {
    let run = 0;
    for (let on = 0; on <= length; on += 1) {
      if (on < length && ink.bits[line * across + on * along] === 1) {
        run += 1;
        continue;
      }
      for (let back = run >= minLength ? run : 0; back > 0; back -= 1) {
        const at = line * across + (on - back) * along;
        if (thicknessAt(ink, direction, at, line, maxThickness) <= maxThickness) found.push(at);
      }
      run = 0;
    }
  }
  return found;
};

/** Pixels of a box that have a value. */
const pixelsIn = function* (width: number, box: Box, values: Uint8Array, value: number): Generator<number> {
  for (let y = box.top; y < box.bottom; y += 1) {
    for (let x = box.left; x < box.right; x += 1) if (values[y * width + x] === value) yield y * width + x;
  }
};

/** The ink that is left where two rules cross: small, and beside what was removed. */
const crossings = ({ width, height, bits }: Ink, isRule: Uint8Array, maxThickness: number): readonly number[] =>
  findBlobs({ width, height, bits }).flatMap((rest) => {
    if (widthOf(rest) > maxThickness + 1 || heightOf(rest) > maxThickness + 1) return [];
    const around = {
      left: Math.max(0, rest.left - 1),
      top: Math.max(0, rest.top - 1),
      right: Math.min(width, rest.right + 1),
      bottom: Math.min(height, rest.bottom + 1),
    };
    const isBeside = pixelsIn(width, around, isRule, 1).next().done !== true;
    return isBeside ? [...pixelsIn(width, rest, bits, 1)] : [];
  });

/**
 * Removes the rules of tables and forms, which mislead the engine, from an image and its ink. Letters that touch a rule
 * stay, since the ink is thicker there.
 * @param letters Height of letters, in pixels.
 */
export const removeRules = (image: GreyImage, ink: Ink, letters: number): void => {
  const { width, height, pixels } = image;
  const { bits } = ink;
  const minLength = Math.max(60, letters * 5);
  const maxThickness = Math.max(4, Math.min(20, Math.round(letters * 0.45)));
  const rows = { lines: height, length: width, across: width, along: 1 };
  const columns = { lines: width, length: height, across: 1, along: width };
  const rules = [rows, columns].flatMap((direction) => rulePixels(ink, direction, minLength, maxThickness));
  const isRule = new Uint8Array(bits.length);
  for (const at of rules) [bits[at], isRule[at]] = [0, 1];
  const rest = crossings(ink, isRule, maxThickness);
  for (const at of rest) bits[at] = 0;
  // The gray edge of a rule goes with it.
  const edge = [0, -1, 1, -2, 2, -width, width, -2 * width, 2 * width];
  for (const at of [...rules, ...rest]) for (const step of edge) if (bits[at + step] === 0) pixels[at + step] = 255;
};

/** Smallest dark panel in pixels. */
const minPanel = { side: 20, width: 60 };
const minHoles = 4;
const minContrast = 70;
/** Deviation from the mean brightness of a printed panel, which a shadow exceeds. */
const maxUnevenness = 40;

/** Mean brightness in a box of the pixels whose ink is `value`. */
const meanOf = ({ width, pixels }: GreyImage, { bits }: Ink, box: Box, value: number): number => {
  let [sum, count] = [0, 0];
  for (const at of pixelsIn(width, box, bits, value)) {
    sum += pixels[at] ?? 0;
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
};

/** Mean deviation in a box of the dark pixels from their mean brightness. */
const unevennessOf = ({ width, pixels }: GreyImage, { bits }: Ink, box: Box, mean: number): number => {
  let [sum, count] = [0, 0];
  for (const at of pixelsIn(width, box, bits, 1)) {
    sum += Math.abs((pixels[at] ?? 0) - mean);
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
};

/** Whether a dark area contains bright letters. */
const hasBrightLetters = (image: GreyImage, ink: Ink, panel: Box, dark: number): boolean => {
  const high = heightOf(panel);
  const holes = findBlobs(ink, panel, 0).filter(
    (hole) =>
      hole.left > panel.left &&
      hole.right < panel.right &&
      hole.top > panel.top &&
      hole.bottom < panel.bottom &&
      heightOf(hole) >= 6 &&
      heightOf(hole) <= Math.max(20, high * 0.9) &&
      widthOf(hole) <= 200,
  );
  const letters = holes.slice(0, 200).filter((hole) => {
    const around = { left: hole.left - 1, top: hole.top - 1, right: hole.right + 1, bottom: hole.bottom + 1 };
    const edge = meanOf(image, ink, around, 1);
    return Math.abs(edge - dark) <= maxUnevenness && meanOf(image, ink, hole, 0) - edge >= minContrast;
  });
  return letters.length >= minHoles;
};

/** Turns white words on dark panels, such as heads of tables, into dark words on white paper. */
export const brightenPanels = (image: GreyImage): void => {
  const { width, pixels } = image;
  const ink = findInk(image);
  for (const panel of findBlobs(ink)) {
    const [wide, high] = [widthOf(panel), heightOf(panel)];
    if (high < minPanel.side || wide < minPanel.width || panel.area < wide * high * 0.55) continue;
    const dark = meanOf(image, ink, panel, 1);
    if (unevennessOf(image, ink, panel, dark) > maxUnevenness / 2) continue;
    if (!hasBrightLetters(image, ink, panel, dark)) continue;
    for (let y = panel.top; y < panel.bottom; y += 1) {
      for (let x = panel.left; x < panel.right; x += 1) {
        const value = pixels[y * width + x] ?? 0;
        pixels[y * width + x] = Math.max(0, Math.min(255, 255 - ((value - dark) * 255) / Math.max(1, 255 - dark)));
      }
    }
  }
};

const voteSide = 32;
/** Mean brightness above which a page is no white on black. */
const maxMean = 110;

/** Whether a page is white on black: most blocks with letters have more dark than bright pixels. */
export const isInverted = ({ width, height, pixels }: GreyImage): boolean => {
  let [dark, bright, total, blocks] = [0, 0, 0, 0];
  for (let top = 0; top + voteSide <= height; top += voteSide) {
    for (let left = 0; left + voteSide <= width; left += voteSide) {
      let [min, max, sum] = [255, 0, 0];
      for (let y = top; y < top + voteSide; y += 1) {
        for (let x = left; x < left + voteSide; x += 1) {
          const pixel = pixels[y * width + x] ?? 0;
          min = Math.min(min, pixel);
          max = Math.max(max, pixel);
          sum += pixel;
        }
      }
      total += sum / voteSide ** 2;
      blocks += 1;
      if (max - min < 80) continue;
      if (sum / voteSide ** 2 < (min + max) / 2) dark += 1;
      else bright += 1;
    }
  }
  return dark > bright * 2 && total < blocks * maxMean;
};

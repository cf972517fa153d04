import { medianOf } from '../../../../shared/platform/median.ts';
import { type Blob, type Box, heightOf, widthOf } from './ink.ts';

const minLetters = 8;

/** Median height of what can be a letter, in pixels; null without enough of them. */
export const letterHeight = (blobs: readonly Blob[]): number | null => {
  const heights = blobs.flatMap((blob) => {
    const [wide, high] = [widthOf(blob), heightOf(blob)];
    const size = Math.max(wide, high);
    return size >= 6 && size <= 200 && wide < high * 5 && high < wide * 12 && blob.area * 12 > wide * high
      ? [high]
      : [];
  });
  return heights.length < minLetters ? null : medianOf(heights);
};

/** Blobs of about the size of letters. */
export const lettersOf = (blobs: readonly Blob[], height: number): readonly Blob[] =>
  blobs.filter((blob) => {
    const [wide, high] = [widthOf(blob), heightOf(blob)];
    return high >= height * 0.5 && high <= height * 2.5 && wide <= height * 4 && wide * 6 >= high && blob.area >= 8;
  });

interface Grid {
  readonly around: (x: number, y: number) => readonly Blob[];
}

/** Most letters of a cell that are compared with another letter. */
const maxInCell = 24;

const gridOf = (letters: readonly Blob[], cell: number): Grid => {
  const cells = new Map<string, Blob[]>();
  const keyOf = (x: number, y: number): string => `${Math.floor(x / cell)} ${Math.floor(y / cell)}`;
  for (const letter of letters) {
    const key = keyOf((letter.left + letter.right) / 2, (letter.top + letter.bottom) / 2);
    const inCell = cells.get(key);
    if (inCell === undefined) cells.set(key, [letter]);
    else if (inCell.length < maxInCell) inCell.push(letter);
  }
  const steps = [-cell, 0, cell];
  return { around: (x, y) => steps.flatMap((dy) => steps.flatMap((dx) => cells.get(keyOf(x + dx, y + dy)) ?? [])) };
};

/** Letters that have another one beside them, as words have, rather than the texture of a picture. */
export const lettersInWords = (letters: readonly Blob[], height: number): readonly Blob[] => {
  const grid = gridOf(letters, height * 2);
  return letters.filter((letter) =>
    grid
      .around((letter.left + letter.right) / 2, (letter.top + letter.bottom) / 2)
      .some(
        (other) =>
          other !== letter &&
          Math.abs(other.bottom - letter.bottom) < height * 0.4 &&
          Math.max(other.left - letter.right, letter.left - other.right) < height &&
          Math.max(other.left - letter.right, letter.left - other.right) > -height * 0.2,
      ),
  );
};

/** Whether lines of text run from top to bottom: then letters are closer to those above than to those beside them. */
const isSideways = (letters: readonly Blob[], height: number): boolean => {
  const grid = gridOf(letters, height * 2);
  let [across, down] = [0, 0];
  for (const letter of letters) {
    const [x, y] = [(letter.left + letter.right) / 2, (letter.top + letter.bottom) / 2];
    let [beside, below] = [height, height];
    for (const other of grid.around(x, y)) {
      if (other === letter) continue;
      const [gapX, gapY] = [other.left - letter.right, other.top - letter.bottom];
      const [overX, overY] = [
        Math.min(other.right, letter.right) - Math.max(other.left, letter.left),
        Math.min(other.bottom, letter.bottom) - Math.max(other.top, letter.top),
      ];
      if (overY > 0.4 * Math.min(heightOf(other), heightOf(letter)) && gapX >= 0) beside = Math.min(beside, gapX);
      if (overX > 0.4 * Math.min(widthOf(other), widthOf(letter)) && gapY >= 0) below = Math.min(below, gapY);
    }
    if (beside < below) across += 1;
    if (below < beside) down += 1;
  }
  return down > across * 1.5 && down > minLetters;
};

const maxDegrees = 15;
const maxPoints = 6_000;

/**
 * Angle by which points lie in the most marked lines, clockwise in degrees, with the measure of how marked they are.
 * @param points Of a page whose lines run about from left to right.
 */
const bestAngle = (points: readonly (readonly [x: number, y: number])[], bin: number) => {
  const step = Math.max(1, Math.ceil(points.length / maxPoints));
  const sample = points.filter((_, at) => at % step === 0);
  const score = (degrees: number): number => {
    const slope = Math.tan((degrees * Math.PI) / 180);
    const counts = new Map<number, number>();
    for (const [x, y] of sample) {
      const at = Math.floor((y - x * slope) / bin);
      counts.set(at, (counts.get(at) ?? 0) + 1);
    }
    let sum = 0;
    for (const count of counts.values()) sum += count * count;
    return sum;
  };
  let best = { degrees: 0, score: score(0) };
  const consider = (degrees: number): void => {
    const found = score(degrees);
    if (found > best.score * 1.001) best = { degrees, score: found };
  };
  for (let degrees = -maxDegrees; degrees <= maxDegrees; degrees += 0.5) consider(degrees);
  const coarse = best.degrees;
  for (let off = -0.45; off <= 0.46; off += 0.05) consider(coarse + off);
  return best;
};

/** How a page lies: it is upright after so many quarter turns clockwise and a turn by `-degrees`. */
export interface Lie {
  readonly quarters: number;
  /** Clockwise, after the quarter turns. */
  readonly degrees: number;
}

/** Factor by which the line under the letters is more marked than the one over them. */
const clearly = 1.15;
/** Angle below which a page is left as it is. */
const minDegrees = 0.15;

/**
 * Measures how a page lies by the edges of its letters. Latin letters have a line, while their upper ends differ,
 * so that the more marked edge is the lower one.
 * @param known Quarter turns, if they are known.
 */
export const measureLie = (letters: readonly Blob[], height: number, known: number | null = null): Lie => {
  if (letters.length < minLetters * 2) return { quarters: known ?? 0, degrees: 0 };
  const bin = Math.max(1.5, height / 8);
  const midX = ({ left, right }: Box): number => (left + right) / 2;
  const midY = ({ top, bottom }: Box): number => (top + bottom) / 2;
  const sideways = known === null ? isSideways(letters, height) : known % 2 === 1;
  const [under, over] = sideways
    ? [
        // After a quarter turn clockwise, the right becomes the bottom.
        bestAngle(
          letters.map((letter) => [-midY(letter), letter.right] as const),
          bin,
        ),
        bestAngle(
          letters.map((letter) => [-midY(letter), letter.left] as const),
          bin,
        ),
      ]
    : [
        bestAngle(
          letters.map((letter) => [midX(letter), letter.bottom] as const),
          bin,
        ),
        bestAngle(
          letters.map((letter) => [midX(letter), letter.top] as const),
          bin,
        ),
      ];
  const isReversed = over.score > under.score * clearly;
  const { degrees } = over.score > under.score ? over : under;
  const quarters = known ?? (sideways ? (isReversed ? 3 : 1) : isReversed ? 2 : 0);
  return { quarters, degrees: Math.abs(degrees) < minDegrees ? 0 : degrees };
};

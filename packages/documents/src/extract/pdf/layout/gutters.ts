import { medianOf } from '../../../../../../shared/platform/median.ts';
import type { Band } from './fragments.ts';

/** Vertical strip without text between columns. */
export interface Gutter {
  readonly left: number;
  readonly right: number;
  /** Indexes of its first and last band. */
  readonly from: number;
  readonly to: number;
}

// In font sizes. A strip that few lines bound is wider, or it is a wide space.
const minWidth = 0.5;
const minWidthOfFew = 1;
const fewBands = 4;

// A page has fewer of them, unless its text is scattered.
const maxCandidates = 400;

interface Strip {
  left: number;
  right: number;
}

/** Narrows a strip to what a band leaves free of it; false if that is too narrow. */
const narrow = (strip: Strip, { fragments }: Band, least: number): boolean => {
  let { left, right } = strip;
  for (const fragment of fragments) {
    if (fragment.right <= left || fragment.left >= right) continue;
    if (fragment.right - left <= right - fragment.left) left = fragment.right;
    else right = fragment.left;
    if (right - left < least) return false;
  }
  strip.left = left;
  strip.right = right;
  return true;
};

/** Distances between the baselines of bands. */
export const pitchesOf = (bands: readonly Band[]): readonly number[] =>
  bands.slice(1).map(({ baseline }, index) => baseline - (bands[index]?.baseline ?? 0));

/** Whether there is more space between two bands than a column has between its paragraphs. */
const isFar = (above: Band, below: Band, pitch: number): boolean => {
  const space = below.top - above.bottom;
  const size = Math.max(above.size, below.size);
  return space > Math.max(3 * size, 2.2 * pitch);
};

// In font sizes.
const maxFigureShift = 1;

/** Whether figures of a band that was painted as one text are apart at a strip or beside it. */
const hasFiguresApart = ({ left, right }: Strip, { fragments, size }: Band): boolean =>
  fragments.some((fragment, at) => {
    const next = fragments[at + 1];
    if (next === undefined || (fragment.isFigure !== true && next.isFigure !== true)) return false;
    return fragment.right <= right + maxFigureShift * size && next.left >= left - maxFigureShift * size;
  });

const extend = (bands: readonly Band[], start: number, strip: Strip, pitch: number): Gutter => {
  const least = minWidth * (bands[start]?.size ?? 0);
  const passes = (band: Band): boolean => narrow(strip, band, least) || hasFiguresApart(strip, band);
  let to = start;
  for (let index = start + 1; index < bands.length; index += 1) {
    const [above, band] = [bands[index - 1], bands[index]];
    if (above === undefined || band === undefined || isFar(above, band, pitch)) break;
    if (!passes(band)) break;
    to = index;
  }
  let from = start;
  for (let index = start - 1; index >= 0; index -= 1) {
    const [band, below] = [bands[index], bands[index + 1]];
    if (band === undefined || below === undefined || isFar(band, below, pitch)) break;
    if (!passes(band)) break;
    from = index;
  }
  return { left: strip.left, right: strip.right, from, to };
};

/** Gaps of a band, and those that it has together with the next band, whose column may stand half a line lower. */
const gapsAt = (bands: readonly Band[], index: number): readonly Strip[] => {
  const [band, next] = [bands[index], bands[index + 1]];
  if (band === undefined) return [];
  const interleaved = next !== undefined && next.baseline - band.baseline < 0.9 * Math.min(band.size, next.size);
  const fragments = interleaved
    ? [...band.fragments, ...next.fragments].toSorted((one, other) => one.left - other.left)
    : band.fragments;
  if (fragments.length < 2) return [];
  const gaps: Strip[] = [];
  let right = fragments[0]?.right ?? 0;
  for (const fragment of fragments.slice(1)) {
    if (fragment.left - right >= minWidth * band.size) gaps.push({ left: right, right: fragment.left });
    right = Math.max(right, fragment.right);
  }
  return gaps;
};

/** Number of bands within a gutter with text on its left and on its right side, and on both. */
const sidesOf = (bands: readonly Band[], { left, right, from, to }: Gutter): readonly [number, number, number] => {
  let [lefts, rights, both] = [0, 0, 0];
  const middle = (left + right) / 2;
  for (const { fragments } of bands.slice(from, to + 1)) {
    const hasLeft = fragments.some((fragment) => fragment.left < middle);
    const hasRight = fragments.some((fragment) => fragment.right > middle);
    if (hasLeft) lefts += 1;
    if (hasRight) rights += 1;
    if (hasLeft && hasRight) both += 1;
  }
  return [lefts, rights, both];
};

/** Finds the strips that at least two bands have text on both sides of. */
const findGutters = (bands: readonly Band[]): readonly Gutter[] => {
  const found: Gutter[] = [];
  let candidates = 0;
  const pitch = medianOf(pitchesOf(bands).filter((value) => value > 0));
  for (const index of bands.keys()) {
    for (const gap of gapsAt(bands, index)) {
      const isKnown = found.some(
        ({ left, right, from, to }) => index >= from && index <= to && left < gap.right && right > gap.left,
      );
      if (isKnown || candidates >= maxCandidates) continue;
      candidates += 1;
      found.push(extend(bands, index, { ...gap }, pitch));
    }
  }
  return found.filter((gutter) => {
    const [lefts, rights] = sidesOf(bands, gutter);
    const size = bands[gutter.from]?.size ?? 0;
    const few = Math.min(lefts, rights) < fewBands;
    return Math.min(lefts, rights) >= 2 && gutter.right - gutter.left >= (few ? minWidthOfFew : minWidth) * size;
  });
};

/** Range of bands that gutters divide into columns. */
export interface Divided {
  readonly from: number;
  readonly to: number;
  readonly gutters: readonly Gutter[];
}

const commonBands = (one: Gutter, other: Gutter): number =>
  Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from) + 1);

/** Returns the longest range of bands with a gutter, and the gutters that run along most of it; null without any. */
export const largestDivided = (bands: readonly Band[]): Divided | null => {
  const heightOf = ({ from, to }: Gutter): number => (bands[to]?.bottom ?? 0) - (bands[from]?.top ?? 0);
  const gutters = findGutters(bands).toSorted(
    (one, other) => heightOf(other) - heightOf(one) || other.right - other.left - one.right + one.left,
  );
  const [first] = gutters;
  if (first === undefined) return null;
  const shared: Gutter[] = [];
  for (const gutter of gutters) {
    const isKnown = shared.some(({ left, right }) => gutter.left < right && gutter.right > left);
    if (!isKnown && commonBands(gutter, first) * 2 >= first.to - first.from + 1) shared.push(gutter);
  }
  return { from: first.from, to: first.to, gutters: shared.toSorted((one, other) => one.left - other.left) };
};

import type { GreyImage } from '../extract/pdf/encode-png.ts';

/** Rectangle in pixels; `right` and `bottom` are exclusive. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const boundsOf = (boxes: readonly Box[]): Box => ({
  left: boxes.reduce((min, { left }) => Math.min(min, left), Infinity),
  top: boxes.reduce((min, { top }) => Math.min(min, top), Infinity),
  right: boxes.reduce((max, { right }) => Math.max(max, right), 0),
  bottom: boxes.reduce((max, { bottom }) => Math.max(max, bottom), 0),
});

/** Connected dark pixels. */
export interface Blob extends Box {
  readonly area: number;
}

/** Dark pixels of an image are 1. */
export interface Ink {
  readonly width: number;
  readonly height: number;
  readonly bits: Uint8Array;
}

/** Blobs of a photograph or of noise, which are not worth an analysis. */
const maxBlobs = 400_000;
const maxRuns = 3_000_000;

/** Threshold between dark and bright by Otsu's method: the value at which the two classes differ most. */
const thresholdOf = ({ pixels }: GreyImage): number => {
  const counts = new Float64Array(256);
  for (const pixel of pixels) counts[pixel] = (counts[pixel] ?? 0) + 1;
  const total = counts.reduce((sum, count, value) => sum + count * value, 0);
  let best = { value: 127, spread: -1 };
  let [dark, darkSum] = [0, 0];
  for (let value = 0; value < 255; value += 1) {
    dark += counts[value] ?? 0;
    darkSum += (counts[value] ?? 0) * value;
    const bright = pixels.length - dark;
    if (dark === 0 || bright === 0) continue;
    const spread = dark * bright * (darkSum / dark - (total - darkSum) / bright) ** 2;
    if (spread > best.spread) best = { value, spread };
  }
  return best.value;
};

/** Separates ink from paper. */
export const findInk = (image: GreyImage): Ink => {
  const threshold = thresholdOf(image);
  return { width: image.width, height: image.height, bits: image.pixels.map((pixel) => (pixel <= threshold ? 1 : 0)) };
};

/** Runs of a value in a row of pixels: start, end (exclusive), and blob. */
type Run = [start: number, end: number, blob: number];

const runsOf = (bits: Uint8Array, from: number, to: number, offset: number, value: number): Run[] => {
  const runs: Run[] = [];
  let start = -1;
  for (let x = from; x <= to; x += 1) {
    const isInside = x < to && bits[offset + x] === value;
    if (isInside && start === -1) start = x;
    if (isInside || start === -1) continue;
    runs.push([start, x, -1]);
    start = -1;
  }
  return runs;
};

/** Groups of blobs that turned out to be one. */
class Joined {
  private readonly parents: number[] = [];

  get size(): number {
    return this.parents.length;
  }

  add(): number {
    return this.parents.push(this.parents.length) - 1;
  }

  rootOf(blob: number): number {
    let root = blob;
    for (let parent = this.parents[root]; parent !== undefined && parent !== root; parent = this.parents[root]) {
      this.parents[root] = this.parents[parent] ?? parent;
      root = parent;
    }
    return root;
  }

  join(one: number, other: number): number {
    const [first, second] = [this.rootOf(one), this.rootOf(other)];
    this.parents[Math.max(first, second)] = Math.min(first, second);
    return Math.min(first, second);
  }
}

/** Assigns blobs to the runs of a row by the runs of the row above, which they touch at least at a corner. */
const continueBlobs = (joined: Joined, above: readonly Run[], runs: readonly Run[]): void => {
  let next = 0;
  for (const run of runs) {
    while (next < above.length && (above[next]?.[1] ?? 0) < run[0]) next += 1;
    for (let at = next; at < above.length && (above[at]?.[0] ?? 0) <= run[1]; at += 1) {
      const touched = above[at]?.[2] ?? 0;
      run[2] = run[2] === -1 ? joined.rootOf(touched) : joined.join(run[2], touched);
    }
    if (run[2] === -1) run[2] = joined.add();
  }
};

/** Finds the connected blobs of ink within an area, by runs of pixels; none if there are too many. */
export const findBlobs = (
  { width, bits, height }: Ink,
  area: Box = { left: 0, top: 0, right: width, bottom: height },
  value = 1,
): readonly Blob[] => {
  const joined = new Joined();
  const rows: (readonly [y: number, runs: readonly Run[]])[] = [];
  let above: readonly Run[] = [];
  let total = 0;
  for (let y = area.top; y < area.bottom; y += 1) {
    const runs = runsOf(bits, area.left, area.right, y * width, value);
    continueBlobs(joined, above, runs);
    total += runs.length;
    if (joined.size > maxBlobs || total > maxRuns) return [];
    if (runs.length > 0) rows.push([y, runs]);
    above = runs;
  }
  const blobs = new Map<number, { left: number; top: number; right: number; bottom: number; area: number }>();
  for (const [y, runs] of rows) {
    for (const [start, end, part] of runs) {
      const root = joined.rootOf(part);
      const blob = blobs.get(root);
      if (blob === undefined) {
        blobs.set(root, { left: start, top: y, right: end, bottom: y + 1, area: end - start });
      } else {
        blob.left = Math.min(blob.left, start);
        blob.right = Math.max(blob.right, end);
        blob.bottom = y + 1;
        blob.area += end - start;
      }
    }
  }
  return [...blobs.values()];
};

export const heightOf = ({ top, bottom }: Box): number => bottom - top;
export const widthOf = ({ left, right }: Box): number => right - left;

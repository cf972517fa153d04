import { isObject } from './json.ts';

/** Box on a page, in shares of the page's width and height from its top left corner. */
export interface PageRegion {
  /** 1-based. */
  readonly page: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Place of the text of a row in its file. */
export interface Passage {
  /** Position in the text of the file's part that the task read, in code points: `[start, end)`. */
  readonly start: number;
  readonly end: number;
  /** Boxes of the text on its pages, in order. Empty: they are unknown. */
  readonly regions: readonly PageRegion[];
}

/** Units of a page's width and height in which boxes are stored. */
const scale = 1_000;

const numbersOf = ({ page, left, top, width, height }: PageRegion): readonly number[] => [
  page,
  ...[left, top, width, height].map((share) => Math.round(share * scale)),
];

/** Returns the area of a box, in shares of the page. */
export const areaOf = ({ width, height }: PageRegion): number => width * height;

/** Returns the smallest box around two of one page. */
export const around = (one: PageRegion, other: PageRegion): PageRegion => {
  const [left, top] = [Math.min(one.left, other.left), Math.min(one.top, other.top)];
  return {
    page: one.page,
    left,
    top,
    width: Math.max(one.left + one.width, other.left + other.width) - left,
    height: Math.max(one.top + one.height, other.top + other.height) - top,
  };
};

/** Joins boxes of a page whose areas grow least, until there are few enough or one for each page. */
const joinRegions = (regions: readonly PageRegion[], max: number): readonly PageRegion[] => {
  const left = [...regions];
  while (left.length > max) {
    let best: { readonly at: number; readonly other: number; readonly growth: number } | null = null;
    for (const [at, one] of left.entries())
      for (let other = at + 1; other < left.length; other += 1) {
        const next = left[other];
        if (next?.page !== one.page) continue;
        const growth = areaOf(around(one, next)) - areaOf(one) - areaOf(next);
        if (best === null || growth < best.growth) best = { at, other, growth };
      }
    const [first, second] = [left[best?.at ?? -1], left[best?.other ?? -1]];
    if (best === null || first === undefined || second === undefined) break;
    left[best.at] = around(first, second);
    left.splice(best.other, 1);
  }
  return left;
};

/** Boxes of a row that an import reads. An export has no more than a result. */
const maxReadRegions = 1_000;

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

const isRegion = (value: unknown): value is PageRegion => {
  if (!isObject(value)) return false;
  const { page, left, top, width, height } = value;
  const isPage = typeof page === 'number' && Number.isInteger(page) && page > 0 && page < 2 ** 31;
  return isPage && [left, top, width, height].every(isShare);
};

/** Reads boxes in a file of rows. Returns none if a value is no box, or if there are too many. */
export const readRegions = (value: unknown): readonly PageRegion[] =>
  Array.isArray(value) && value.length <= maxReadRegions && value.every(isRegion)
    ? value.map(({ page, left, top, width, height }) => ({ page, left, top, width, height }))
    : [];

/** Bytes of a result besides its text and its boxes, and of one box. */
const [resultBytes, regionBytes] = [450, 80];

/**
 * Returns boxes that make the result with a text at most half as large again. Those of many cells are joined.
 * @param textBytes Bytes of the text.
 */
export const boundRegions = (regions: readonly PageRegion[], textBytes: number): readonly PageRegion[] =>
  joinRegions(regions, Math.max(1, Math.floor((textBytes + resultBytes) / 2 / regionBytes)));

/** Packs a passage as short JSON, which is stored beside its row: `[start,end,[page,left,top,width,height,…]]`. */
export const packPassage = ({ start, end, regions }: Passage): string =>
  JSON.stringify([start, end, ...(regions.length === 0 ? [] : [regions.flatMap(numbersOf)])]);

/** Unpacks what `packPassage` made. Null: the row has none. */
export const unpackPassage = (packed: string | undefined): Passage | null => {
  if (packed === undefined) return null;
  // Cast: `packPassage` wrote it.
  const [start, end, numbers = []] = JSON.parse(packed) as readonly [number, number, (readonly number[])?];
  const regions = Array.from({ length: Math.floor(numbers.length / 5) }, (_, at): PageRegion => {
    const [page = 1, left = 0, top = 0, width = 0, height = 0] = numbers.slice(at * 5, at * 5 + 5);
    return { page, left: left / scale, top: top / scale, width: width / scale, height: height / scale };
  });
  return { start, end, regions };
};

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

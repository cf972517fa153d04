import { areaOf, around } from '../../../../../shared/kernel/passage.ts';
import type { Region, TextPlace } from '../port.ts';

// Of the sum of the areas of the lines in a region.
const maxArea = 1.25;
// Regions of the last rows, which lines of the same column may continue.
const openRegions = 12;

interface OpenRegion {
  region: Region;
  /** Sum of the areas of its lines. */
  area: number;
}

const rounded = (share: number): number => Math.round(share * 10_000) / 10_000;

/**
 * Returns the boxes of a part of a text, one for each run of lines. A line joins the box above it if that grows little
 * beyond its lines.
 */
export const regionsOf = (
  places: readonly TextPlace[],
  { start, end }: { readonly start: number; readonly end: number },
): readonly Region[] => {
  const open: OpenRegion[] = [];
  const first = places.findLastIndex(({ at }) => at <= start);
  const from = places[first]?.at ?? 0;
  for (const { at, region } of places) {
    if (at < from || at >= end) continue;
    const area = areaOf(region);
    const joined = open.slice(-openRegions).findLast((candidate) => {
      if (candidate.region.page !== region.page) return false;
      return areaOf(around(candidate.region, region)) <= maxArea * (candidate.area + area);
    });
    if (joined === undefined) open.push({ region, area });
    else {
      joined.region = around(joined.region, region);
      joined.area += area;
    }
  }
  return open.map(({ region: { page, left, top, width, height } }) => ({
    page,
    left: rounded(left),
    top: rounded(top),
    width: rounded(width),
    height: rounded(height),
  }));
};

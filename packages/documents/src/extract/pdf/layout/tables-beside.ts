import { textOf, type Columns } from './columns.ts';
import { gutterAt } from './open-tables.ts';
import type { PageRules } from './rules.ts';

const minBesideEms = 2;
const minBesideRatio = 2;

/**
 * Border between two tables that are beside each other: a gutter wider than the others, with the same head on both sides
 * or with rules on both sides that do not cross it. Null: it is one table.
 */
export const borderBesideTable = ({ bands, borders }: Columns, horizontal: PageRules['horizontal']): number | null => {
  const fragments = bands.flatMap((band) => band.fragments);
  const widths = borders.map((border) => {
    const { left, right } = gutterAt(border, fragments);
    return right - left;
  });
  const [top, bottom] = [(bands[0]?.top ?? 0) - (bands[0]?.size ?? 0), bands.at(-1)?.bottom ?? 0];
  const rules = horizontal.filter(({ at }) => at > top && at < bottom + (bands[0]?.size ?? 0));
  for (const [at, border] of borders.entries()) {
    const others = widths.filter((_, other) => other !== at);
    const isWide =
      (widths[at] ?? 0) >= Math.max(minBesideEms * (bands[0]?.size ?? 0), minBesideRatio * Math.max(...others));
    if (at < 1 || at > borders.length - 2 || !isWide) continue;
    const headOf = (isLeft: boolean): string =>
      (bands[0]?.fragments ?? [])
        .filter(({ left }) => left < border === isLeft)
        .map((fragment) => textOf(fragment).trim())
        .join('\n');
    const hasSameHead = headOf(true).includes('\n') && headOf(true) === headOf(false);
    const [lefts, rights] = [rules.filter(({ to }) => to <= border), rules.filter(({ from }) => from >= border)];
    const isRuledApart = lefts.length > 0 && rights.length > 0 && lefts.length + rights.length === rules.length;
    if (hasSameHead || isRuledApart) return border;
  }
  return null;
};

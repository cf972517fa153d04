import { columnAt, textOf, type Columns } from './columns.ts';
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

const minEqual = 4;

/**
 * Border between two charts that are beside each other: the texts of a column, such as the figures of an axis, are
 * repeated in the same lines further right. Null: there are none.
 */
export const borderBesideAxes = ({ bands, borders }: Columns): number | null => {
  const lines = bands.map(({ fragments }) => {
    const texts = new Map<number, string>();
    for (const one of fragments) {
      const column = columnAt(borders, one);
      texts.set(column, `${texts.get(column) ?? ''}${textOf(one).trim()}`);
    }
    return texts;
  });
  for (const [at, border] of borders.entries()) {
    const filled = lines.filter((texts) => texts.has(0));
    const equal = filled.filter((texts) => texts.get(0) === texts.get(at + 1));
    const distinct = new Set(equal.map((texts) => texts.get(0)));
    if (distinct.size >= minEqual && equal.length * 2 > filled.length) return border;
  }
  return null;
};

import { columnAt, textOf } from './columns.ts';
import { toBands, type Band, type Fragment } from './fragments.ts';
import { largestDivided } from './gutters.ts';
import { areProse, areRows, columnsOf, rowsByText, withoutItemMarks } from './open-tables.ts';
import type { Rule } from './rules.ts';

/** In points: lines meet if their ends are so near. */
export const touch = 3;

/** Lines that meet. */
export interface Grid {
  readonly horizontal: readonly Rule[];
  readonly vertical: readonly Rule[];
}

/** Positions without those that are too near to the one before. */
export const distinct = (positions: readonly number[]): readonly number[] => {
  const kept: number[] = [];
  for (const position of positions.toSorted((one, other) => one - other))
    if (kept.length === 0 || position - (kept.at(-1) ?? 0) > touch) kept.push(position);
  return kept;
};

/** Whether lines at a position go past a point beside it. */
export const covers = (lines: readonly Rule[], at: number, middle: number): boolean =>
  lines.some((line) => Math.abs(line.at - at) <= touch && line.from <= middle && line.to >= middle);

// Share of the font size by which a text may reach over a line that is not drawn.
const maxReach = 0.3;

const isBeside = (fragment: Fragment, x: number): boolean =>
  fragment.left >= x - maxReach * fragment.size || fragment.right <= x + maxReach * fragment.size;

/** Texts of a row that are within the table. */
const textsBetween = (
  fragments: readonly Fragment[],
  xs: readonly number[],
  top: number,
  bottom: number,
): readonly Fragment[] =>
  fragments.filter((one) => {
    const y = one.baseline - 0.3 * one.size;
    return y > top && y < bottom && one.left > (xs[0] ?? 0) - touch && one.right < (xs.at(-1) ?? 0) + touch;
  });

const maxHeadLines = 3;

/** Height between names of groups and those of the columns that a drawn column consists of; null without groups. */
const groupLineOf = (bands: readonly Band[], drawn: readonly number[], borders: readonly number[]): number | null => {
  const divided = borders.filter((x) => !drawn.includes(x));
  if (divided.length === 0 || bands.length > maxHeadLines) return null;
  const textsIn = (lines: readonly Band[], x: number): readonly Fragment[] => {
    const column = columnAt(drawn, { left: x, right: x });
    return lines.flatMap(({ fragments }) => fragments.filter((one) => columnAt(drawn, one) === column));
  };
  const isNamed = (at: number, x: number): boolean => {
    const below = textsIn(bands.slice(at), x);
    return (
      textsIn(bands.slice(0, at), x).length === 1 &&
      below.some(({ right }) => right <= x + touch) &&
      below.some(({ left }) => left >= x - touch)
    );
  };
  const first = bands.findIndex((_, at) => at > 0 && divided.filter((x) => isNamed(at, x)).length * 2 > divided.length);
  const band = bands[first];
  return band === undefined ? null : band.top - 1;
};

/** Lines between the rows that a table lacks where its text shows rows. */
const impliedRows = (
  drawn: readonly number[],
  xs: readonly number[],
  ys: readonly number[],
  fragments: readonly Fragment[],
): readonly Rule[] => {
  const borders = xs.slice(1, -1);
  const horizontal: Rule[] = [];
  for (const [row, top] of ys.slice(0, -1).entries()) {
    const within = textsBetween(fragments, xs, top, ys[row + 1] ?? top);
    const bands = toBands(within);
    const groupLine = groupLineOf(bands, drawn.slice(1, -1), borders);
    if (groupLine !== null) {
      for (const [column, from] of drawn.slice(0, -1).entries()) {
        const to = drawn[column + 1] ?? from;
        if (borders.some((x) => x > from + touch && x < to - touch)) horizontal.push({ at: groupLine, from, to });
      }
      continue;
    }
    if (!areRows({ bands, borders })) continue;
    for (const [at, lines] of rowsByText({ bands, borders }).entries()) {
      if (at === 0) continue;
      const y = (lines[0]?.top ?? 0) - 1;
      for (const [column, left] of xs.slice(0, -1).entries()) {
        const own = within.filter((one) => columnAt(borders, one) === column);
        // A single line beside several rows belongs to all of them.
        const isDivided = own.some(({ baseline }) => baseline < y) && own.some(({ baseline }) => baseline > y);
        if (isDivided || toBands(own).length !== 1) horizontal.push({ at: y, from: left, to: xs[column + 1] ?? left });
      }
    }
  }
  return horizontal;
};

/** Lines that a table lacks where its text shows rows and columns. */
export const impliedLines = (
  grid: Grid,
  drawn: readonly number[],
  xs: readonly number[],
  drawnYs: readonly number[],
  fragments: readonly Fragment[],
): Grid => {
  const borders = xs.slice(1, -1);
  const added = borders.filter((x) => !grid.vertical.some(({ at }) => Math.abs(at - x) <= touch));
  const horizontal = impliedRows(drawn, xs, drawnYs, fragments);
  const ys = distinct([...drawnYs, ...horizontal.map(({ at }) => at)]);
  const vertical: Rule[] = [];
  for (const [row, top] of ys.slice(0, -1).entries()) {
    const bottom = ys[row + 1] ?? top;
    const middle = (top + bottom) / 2;
    const within = textsBetween(fragments, xs, top, bottom);
    // Vertical lines in the head alone: the rows below it keep its columns.
    const isOpen = borders.every((x) => !covers(grid.vertical, x, middle));
    if (isOpen && borders.length > 1 && keepColumns(within, borders))
      vertical.push(...borders.map((at) => ({ at, from: top, to: bottom })));
    for (const x of added) {
      const column = columnAt(drawn, { left: x, right: x });
      const sides = new Set(within.filter((one) => columnAt(drawn, one) === column).map((one) => columnAt([x], one)));
      if (within.every((one) => isBeside(one, x)) && sides.size !== 1) vertical.push({ at: x, from: top, to: bottom });
    }
  }
  return { horizontal: [...grid.horizontal, ...horizontal], vertical: [...grid.vertical, ...vertical] };
};

/** Whether texts are in several columns and hardly any reaches over a border. */
const keepColumns = (fragments: readonly Fragment[], borders: readonly number[]): boolean => {
  const crossing = fragments.filter(({ left, right, size }) =>
    borders.some((x) => left < x - 0.3 * size && right > x + 0.3 * size),
  ).length;
  const columns = new Set(fragments.map((fragment) => columnAt(borders, fragment)));
  return columns.size >= Math.max(2, (borders.length + 1) / 2) && crossing === 0;
};

/** Mark of a note or share in brackets, which belongs to the figure before it. */
const noteMark = /^(?:\(.*|[*†‡§¶#]+)$/u;

const minColumnBands = 4;
const minBothSides = 0.6;

/** Borders with those of the columns that share a drawn column: gutters that most of its lines have on both sides. */
export const bordersWithin = (bands: readonly Band[], drawn: readonly number[]): readonly number[] => {
  const found = [0, ...drawn.keys().map((column) => column + 1)].flatMap((column) => {
    const own = toBands(bands.flatMap(({ fragments }) => fragments.filter((one) => columnAt(drawn, one) === column)));
    const divided = own.length < minColumnBands ? null : largestDivided(own);
    if (divided === null) return [];
    const columns = withoutItemMarks(columnsOf(own, divided));
    if (columns.borders.length === 0 || areProse(columns)) return [];
    return columns.borders.filter((border) => {
      const both = own.filter(
        ({ fragments }) =>
          fragments.some(({ right }) => right <= border) && fragments.some(({ left }) => left >= border),
      );
      const besides = both.flatMap(({ fragments }) => fragments.filter(({ left }) => left >= border).slice(0, 1));
      return both.length >= minBothSides * own.length && !besides.every((one) => noteMark.test(textOf(one).trim()));
    });
  });
  return [...drawn, ...found].toSorted((one, other) => one - other);
};

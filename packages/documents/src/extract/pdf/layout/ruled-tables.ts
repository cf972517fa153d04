import { medianOf } from '../../../../../../shared/platform/median.ts';
import { dividedBorders, splitAtBorders } from './figure-columns.ts';
import { toBands, type Fragment } from './fragments.ts';
import { bordersWithin, covers, distinct, impliedLines, touch, type Grid } from './implied-lines.ts';
import { textOfLines } from './line-of.ts';
import { toTable } from './open-tables.ts';
import { joinPieces, type PageRules, type Rule } from './rules.ts';
import type { TableBox } from './table-box.ts';
import { around, type Box } from './text-places.ts';

/** Groups lines that meet. */
const toGrids = (horizontal: readonly Rule[], vertical: readonly Rule[]): readonly Grid[] => {
  const groupOf = horizontal.map((_, index) => index);
  const members = new Map(horizontal.map((_, index) => [index, new Set<number>()]));
  for (const [index, line] of vertical.entries()) {
    const met = horizontal.flatMap(({ at, from, to }, nth) =>
      at >= line.from - touch && at <= line.to + touch && line.at >= from - touch && line.at <= to + touch
        ? [groupOf[nth] ?? 0]
        : [],
    );
    const [first] = met;
    if (first === undefined) continue;
    members.get(first)?.add(index);
    for (const group of new Set(met)) {
      if (group === first) continue;
      for (const member of members.get(group) ?? []) members.get(first)?.add(member);
      members.delete(group);
      for (const [nth, other] of groupOf.entries()) if (other === group) groupOf[nth] = first;
    }
  }
  return [...members].map(([group, verticals]) => ({
    horizontal: horizontal.filter((_, nth) => groupOf[nth] === group),
    vertical: [...verticals].map((index) => vertical[index]).filter((line) => line !== undefined),
  }));
};

/** Whether a line between cells would cut a word of the fragment in two. */
const isCut = ({ characters }: Fragment, positions: readonly number[]): boolean =>
  positions.some((x) => {
    const next = characters.findIndex((one) => one.x + one.width / 2 > x);
    const [before, after] = [characters[next - 1]?.text ?? ' ', characters[next]?.text ?? ' '];
    return before.trim() !== '' && after.trim() !== '';
  });

/** Splits a fragment that runs over lines between cells. */
const splitAt = (fragment: Fragment, positions: readonly number[]): readonly Fragment[] => {
  const crossed = positions.filter((x) => x > fragment.left + 1 && x < fragment.right - 1);
  if (crossed.length === 0) return [fragment];
  const pieces = new Map<number, Fragment['characters'][number][]>();
  for (const character of fragment.characters) {
    const middle = character.x + character.width / 2;
    const piece = crossed.filter((x) => x < middle).length;
    pieces.set(piece, [...(pieces.get(piece) ?? []), character]);
  }
  return [...pieces.values()].flatMap((characters) => {
    const ink = characters.filter(({ text }) => text.trim() !== '');
    const [first, last] = [ink[0], ink.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [{ ...fragment, characters, left: first.x, right: last.x + last.width }];
  });
};

interface Cell {
  readonly rows: number;
  readonly columns: number;
}

/** Extent of each cell from its first row and column; null for what another cell covers. */
const mergeCells = (
  grid: Grid,
  xs: readonly number[],
  ys: readonly number[],
): readonly (readonly (Cell | null)[])[] => {
  const taken = ys.slice(1).map(() => xs.slice(1).map(() => false));
  const middleOf = (positions: readonly number[], index: number): number =>
    ((positions[index] ?? 0) + (positions[index + 1] ?? 0)) / 2;
  const isOpenRight = (row: number, column: number): boolean =>
    !covers(grid.vertical, xs[column + 1] ?? 0, middleOf(ys, row));
  const isOpenBelow = (row: number, column: number): boolean =>
    !covers(grid.horizontal, ys[row + 1] ?? 0, middleOf(xs, column));
  return ys.slice(1).map((_, row) =>
    xs.slice(1).map((__, column): Cell | null => {
      if (taken[row]?.[column] === true) return null;
      let columns = 1;
      while (column + columns < xs.length - 1 && isOpenRight(row, column + columns - 1)) columns += 1;
      let rows = 1;
      const spanned = Array.from({ length: columns }, (___, offset) => column + offset);
      while (row + rows < ys.length - 1 && spanned.every((one) => isOpenBelow(row + rows - 1, one))) rows += 1;
      for (let down = 0; down < rows; down += 1) {
        const line = taken[row + down];
        if (line !== undefined) for (const one of spanned) line[one] = true;
      }
      return { rows, columns };
    }),
  );
};

interface CellText {
  readonly text: string;
  readonly boxes: readonly Box[];
}

const emptyCell: CellText = { text: '', boxes: [] };

const cellOf = (fragments: readonly Fragment[]): CellText => {
  if (fragments.length === 0) return emptyCell;
  const lines = toBands(fragments).map((band) => ({ fragments: band.fragments }));
  return { text: textOfLines(lines).replace(/\s+/g, ' '), boxes: lines.map((line) => around(line.fragments)) };
};

const minChartRows = 4;
const minChartColumns = 5;

/** Whether several rows and columns have text, and most rows have more than one merged cell, unlike the bars of a chart. */
const isTable = (rows: readonly (readonly string[])[]): boolean => {
  const counts = rows.map((row) => new Set(row.filter((cell) => cell !== '')).size);
  const columns = rows[0]?.length ?? 0;
  const filledColumns = Array.from({ length: columns }, (_, column) =>
    rows.some((row) => (row[column] ?? '') !== ''),
  ).filter(Boolean).length;
  const isChart = rows.length >= minChartRows && medianOf(counts) < 2 && columns >= minChartColumns;
  const filledRows = rows.filter((row) => row.filter((cell) => cell !== '').length > 1).length;
  return filledRows >= 2 && filledColumns >= 2 && !isChart;
};

const minListed = 3;

/** Texts of all cells. A merged cell has its text in every cell that it covers. */
const textsOf = (
  contents: readonly (readonly (readonly Fragment[])[])[],
  cells: readonly (readonly (Cell | null)[])[],
): readonly (readonly CellText[])[] => {
  const rows = contents.map((row) => row.map(() => emptyCell));
  for (const [row, line] of cells.entries()) {
    for (const [column, cell] of line.entries()) {
      if (cell === null) continue;
      const lines = contents.slice(row, row + cell.rows).map((one) => one.slice(column, column + cell.columns).flat());
      // A line for each row beside it: the rows lack their lines here.
      const isListed = cell.rows >= minListed && lines.filter((own) => own.length > 0).length >= 0.8 * cell.rows;
      if (isListed) {
        for (const [down, own] of lines.entries())
          for (let over = 0; over < cell.columns; over += 1) {
            const target = rows[row + down];
            if (target !== undefined) target[column + over] = cellOf(own);
          }
        continue;
      }
      const text = cellOf(lines.flat());
      for (let down = 0; down < cell.rows; down += 1)
        for (let over = 0; over < cell.columns; over += 1) {
          const target = rows[row + down];
          if (target !== undefined) target[column + over] = text;
        }
    }
  }
  return rows;
};

/** Columns with those of figures that the grid does not divide, and the texts in the grid. */
const withDividedColumns = (
  xs: readonly number[],
  ys: readonly number[],
  fragments: readonly Fragment[],
): { readonly xs: readonly number[]; readonly within: ReadonlySet<Fragment> } => {
  const [left = 0, right = 0, top = 0, bottom = 0] = [xs[0], xs.at(-1), ys[0], ys.at(-1)];
  const within = new Set(
    fragments.filter((one) => {
      const [x, y] = [(one.left + one.right) / 2, one.baseline - 0.3 * one.size];
      return x >= left && x <= right && y >= top && y <= bottom;
    }),
  );
  const bands = toBands([...within]);
  const borders = dividedBorders({ bands, borders: bordersWithin(bands, xs.slice(1, -1)) });
  return { xs: [left, ...borders, right], within };
};

interface PlacedTexts {
  /** Texts by row and column. */
  readonly contents: readonly (readonly Fragment[][])[];
  readonly sizes: readonly number[];
  /** Number of texts with a word that a line cuts. */
  readonly cuts: number;
}

/** Places the texts of a grid in its rows and columns. */
const placeTexts = (
  fragments: readonly Fragment[],
  grid: Grid,
  xs: readonly number[],
  ys: readonly number[],
): PlacedTexts => {
  const [left, right, top, bottom] = [xs[0] ?? 0, xs.at(-1) ?? 0, ys[0] ?? 0, ys.at(-1) ?? 0];
  const contents = ys.slice(1).map(() => xs.slice(1).map((): Fragment[] => []));
  const sizes: number[] = [];
  let cuts = 0;
  for (const fragment of fragments) {
    const y = fragment.baseline - 0.3 * fragment.size;
    const x = (fragment.left + fragment.right) / 2;
    if (x < left || x > right || y < top || y > bottom) continue;
    sizes.push(fragment.size);
    const row = Math.max(0, ys.filter((at) => at < y).length - 1);
    const middle = ((ys[row] ?? 0) + (ys[row + 1] ?? 0)) / 2;
    const separators = xs.filter((at) => covers(grid.vertical, at, Math.abs(middle - y) < 1 ? middle : y));
    if (isCut(fragment, separators)) cuts += 1;
    for (const piece of splitAt(fragment, separators)) {
      const column = Math.max(0, xs.filter((at) => at < (piece.left + piece.right) / 2).length - 1);
      contents[row]?.[column]?.push(piece);
    }
  }
  return { contents, sizes, cuts };
};

const minCuts = 3;
const maxCutShare = 0.1;

/** Makes a table of the text in a grid; null if it is not one. */
const readGrid = (
  drawn: Grid,
  all: readonly Fragment[],
): { readonly table: TableBox; readonly used: ReadonlySet<Fragment> } | null => {
  const widths = drawn.horizontal.flatMap(({ from, to }) => [from, to]);
  const heights = drawn.vertical.flatMap(({ from, to }) => [from, to]);
  const drawnXs = distinct([...drawn.vertical.map(({ at }) => at), Math.min(...widths), Math.max(...widths)]);
  const drawnYs = distinct([...drawn.horizontal.map(({ at }) => at), Math.min(...heights), Math.max(...heights)]);
  if (drawnXs.length < 3 || drawnYs.length < 2) return null;
  const { xs, within } = withDividedColumns(drawnXs, drawnYs, all);
  const fragments =
    xs.length === drawnXs.length ? all : all.flatMap((one) => (within.has(one) ? splitAtBorders(one, xs) : [one]));
  const grid = impliedLines(drawn, drawnXs, xs, drawnYs, fragments);
  const ys = distinct([...drawnYs, ...grid.horizontal.map(({ at }) => at)]);
  const { contents, sizes, cuts } = placeTexts(fragments, grid, xs, ys);
  // The bars and lines of a chart run through its labels.
  if (cuts >= minCuts && cuts > maxCutShare * sizes.length) return null;
  const [left, right, top, bottom] = [xs[0] ?? 0, xs.at(-1) ?? 0, ys[0] ?? 0, ys.at(-1) ?? 0];
  const box = { size: medianOf(sizes), columns: xs.slice(0, -1), left, right, top, bottom };
  const texts = contents.filter((row) => row.some((cell) => cell.length > 0));
  // Lines only around the columns: their text separates the rows.
  if (texts.length <= 2 && texts.some((row) => row.filter((cell) => toBands(cell).length > 2).length > 1)) {
    const bands = toBands(texts.flat(2));
    const separators = ys.slice(1, -1);
    const table = { ...toTable({ bands, borders: xs.slice(1, -1) }, separators), ...box };
    return isTable(table.rows) ? { table, used: within } : null;
  }
  const rows = textsOf(contents, mergeCells(grid, xs, ys));
  const filled = rows.flatMap((row, index) => (row.some(({ text }) => text !== '') ? [{ row, index }] : []));
  const bold = filled.findIndex(({ index }) => !(contents[index] ?? []).flat().every(({ isBold }) => isBold));
  const table = {
    ...box,
    rows: filled.map(({ row }) => row.map(({ text }) => text)),
    boxes: filled.map(({ row }) => row.map(({ boxes }) => boxes)),
    ...(bold > 0 && bold <= 3 && { headRows: bold }),
  };
  return isTable(table.rows) ? { table, used: within } : null;
};

const boxFragment = (table: TableBox): Fragment => ({
  characters: [],
  left: table.left,
  right: table.right,
  baseline: table.top,
  top: table.top,
  bottom: table.bottom,
  size: 10,
  isBold: false,
  isItalic: false,
  font: '',
  endsWithSpace: false,
  table,
});

/** Replaces the text within ruled tables by one fragment for each table. */
export const takeRuledTables = (fragments: readonly Fragment[], rules: PageRules): readonly Fragment[] => {
  if (rules.horizontal.length < 2 || rules.vertical.length < 1) return fragments;
  const grids = toGrids(joinPieces(rules.horizontal), joinPieces(rules.vertical));
  let rest = fragments;
  const tables: Fragment[] = [];
  for (const grid of grids) {
    if (grid.horizontal.length < 2 || grid.vertical.length === 0) continue;
    const read = readGrid(grid, rest);
    if (read === null) continue;
    tables.push(boxFragment(read.table));
    rest = rest.filter((fragment) => !read.used.has(fragment));
  }
  return [...rest, ...tables];
};

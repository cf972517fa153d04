import { medianOf } from '../../../../../../shared/platform/median.ts';
import { columnAt, columnsIn, textOf, type Columns } from './columns.ts';
import { dividedBorders, isValue, splitAtBorders, value } from './figure-columns.ts';
import type { Band, Fragment } from './fragments.ts';
import { textOfLines } from './line-of.ts';
import { countHead, joinHead, joinNames } from './table-head.ts';
import { pitchesOf, type Divided } from './gutters.ts';
import type { TableBox } from './table-box.ts';
import { around, type Box } from './text-places.ts';

export const columnsOf = (bands: readonly Band[], { from, to, gutters }: Divided): Columns => ({
  bands: bands.slice(from, to + 1),
  borders: gutters.map(({ left, right }) => (left + right) / 2),
});

const itemMark = /^(?:[•·‣▪▫◦●○■□►▶➢✓✔*–—-]|\(?[\p{L}\p{N}]{1,3}[.)]|\d+(?:\.\d+)+\.?|\[\d+\])$/u;

const figure = /^[\d.,%€$£+−-]+$/;

/** Borders without those after a column of bullets or item numbers, which belong to the text beside them. */
export const withoutItemMarks = ({ bands, borders }: Columns): Columns => {
  const textsIn = (column: number): readonly string[] =>
    bands.flatMap(({ fragments }) =>
      fragments.flatMap((one) => (columnAt(borders, one) === column ? [textOf(one).trim()] : [])),
    );
  const kept = borders.filter((_, column) => {
    const cells = textsIn(column);
    if (cells.length === 0 || !cells.every((cell) => itemMark.test(cell))) return true;
    // Decimals beside other figures are not item numbers.
    const beside = textsIn(column + 1);
    return beside.length > 0 && beside.every((cell) => figure.test(cell));
  });
  return { bands, borders: kept };
};

interface Column {
  readonly lines: number;
  /** Median width of a line, in font sizes. */
  readonly width: number;
  /** Median width of a line as a share of the widest. */
  readonly fill: number;
  /** Share of the lines on the base line of another column's line. */
  readonly aligned: number;
  /** Share of the aligned lines that begin in lower case, and in upper case or with a digit. */
  readonly lower: number;
  readonly upper: number;
}

const describeColumn = ({ bands, borders }: Columns, column: number): Column => {
  const lines: {
    readonly width: number;
    readonly size: number;
    readonly start: string;
    readonly isAligned: boolean;
  }[] = [];
  for (const { fragments } of bands) {
    const own = fragments.filter((one) => columnAt(borders, one) === column);
    const [first] = own;
    if (first === undefined) continue;
    const width = Math.max(...own.map(({ right }) => right)) - first.left;
    const start = textOf(first)
      .trim()
      .replace(/^["'“„«(‘]+/, '');
    lines.push({ width, size: first.size, start, isAligned: own.length < fragments.length });
  }
  const widest = Math.max(1, ...lines.map(({ width }) => width));
  const aligned = lines.slice(1).filter(({ isAligned }) => isAligned);
  const share = (pattern: RegExp): number =>
    aligned.length === 0 ? 0 : aligned.filter(({ start }) => pattern.test(start)).length / aligned.length;
  return {
    lines: lines.length,
    width: medianOf(lines.map(({ width, size }) => width / Math.max(1, size))),
    fill: medianOf(lines.map(({ width }) => width)) / widest,
    aligned: lines.length === 0 ? 0 : lines.filter(({ isAligned }) => isAligned).length / lines.length,
    lower: share(/^\p{Ll}/u),
    upper: share(/^[\p{Lu}\p{N}$€£+−-]/u),
  };
};

/** Groups of bands with more space between them than within. */
const spacedGroups = (bands: readonly Band[]): readonly (readonly Band[])[] => {
  const pitches = pitchesOf(bands);
  const sorted = pitches.toSorted((one, other) => one - other);
  const normal = sorted.find((pitch) => pitch > 0.9 * (bands[0]?.size ?? 0)) ?? sorted[0] ?? 0;
  const limit = Math.max(1.22 * normal, normal + 1.5);
  const groups: Band[][] = [];
  for (const [index, band] of bands.entries()) {
    if (index === 0 || (pitches[index - 1] ?? 0) > limit) groups.push([band]);
    else groups.at(-1)?.push(band);
  }
  return groups;
};

/** Whether the bands are rows of wrapped cells: groups apart from each other, each with text in several columns. */
const hasWrappedRows = ({ bands, borders }: Columns): boolean => {
  const groups = spacedGroups(bands);
  if (groups.length < 3 || groups.length === bands.length || bands.length > groups.length * 4) return false;
  const starts = groups.filter((group) => columnsIn(borders, group.slice(0, 1)).size > 1);
  const isCapital = (group: readonly Band[]): boolean =>
    (group[0]?.fragments ?? []).every((fragment) => !/^\p{Ll}/u.test(textOf(fragment).trim()));
  return starts.length >= groups.length * 0.8 && groups.filter(isCapital).length >= groups.length * 0.7;
};

/**
 * Narrows divided bands to rows of wrapped cells in three columns or more. Groups of one column above and below them,
 * such as a short line of the text around the table, are left out. Null: there are no such groups or rows.
 */
export const withoutLinesAround = (bands: readonly Band[], divided: Divided): Divided | null => {
  const { borders, bands: own } = withoutItemMarks(columnsOf(bands, divided));
  const groups = spacedGroups(own);
  const isWide = (group: readonly Band[]): boolean => columnsIn(borders, group).size > 1;
  const [first, last] = [groups.findIndex(isWide), groups.findLastIndex(isWide)];
  if (borders.length < 2 || first === -1 || last - first === groups.length - 1) return null;
  const from = divided.from + groups.slice(0, first).flat().length;
  const to = divided.to - groups.slice(last + 1).flat().length;
  return hasWrappedRows({ bands: bands.slice(from, to + 1), borders }) ? { ...divided, from, to } : null;
};

/** Whether a band is the first line of a row of text cells: most columns, with the first of them, have text. */
const startsRow = ({ borders }: Columns, band: Band): boolean => {
  const filled = columnsIn(borders, [band]);
  return filled.has(0) && filled.size >= Math.max(2, 0.6 * (borders.length + 1));
};

const minTextRows = 3;

/**
 * Whether the bands are rows of text whose cells wrap without space between the rows: the first column has text only in
 * the first line of a row, and begins with a capital or a figure there.
 */
const hasTextRows = (columns: Columns): boolean => {
  const { bands, borders } = columns;
  const starts = bands.filter((band) => startsRow(columns, band));
  if (starts.length < minTextRows || starts.length === bands.length || starts.length < 0.4 * bands.length) return false;
  const others = bands.filter((band) => !starts.includes(band));
  if (others.some((band) => columnsIn(borders, [band]).has(0))) return false;
  const isWithin = others.some((band) => band.baseline < (starts.at(-1)?.baseline ?? 0));
  const cells = starts.flatMap(({ fragments }) => fragments.map((one) => textOf(one).trim()));
  const firsts = starts.flatMap(({ fragments }) => {
    const [first] = fragments;
    return first === undefined ? [] : [textOf(first).trim()];
  });
  const isCapital = (cell: string): boolean => !/^\p{Ll}/u.test(cell);
  return isWithin && firsts.every(isCapital) && cells.filter(isCapital).length >= 0.6 * cells.length;
};

const rowsFromStarts = (columns: Columns): readonly (readonly Band[])[] => {
  const rows: Band[][] = [];
  for (const band of columns.bands) {
    if (rows.length === 0 || startsRow(columns, band)) rows.push([band]);
    else rows.at(-1)?.push(band);
  }
  return rows;
};

const minFigureColumns = 2;
const minFigures = 3;
// Names that wrap are above the figures.
const minFigureShare = 0.6;

/** Whether several columns consist of figures, so that lines between theirs are labels that wrap. */
const hasFigureColumns = ({ bands, borders }: Columns): boolean => {
  const isFigures = (column: number): boolean => {
    const own = bands.flatMap(({ fragments }) => fragments.filter((one) => columnAt(borders, one) === column));
    const figures = own.filter((one) => value.test(textOf(one).trim()));
    return figures.length >= minFigures && figures.length >= minFigureShare * own.length;
  };
  return [0, ...borders.keys().map((at) => at + 1)].filter(isFigures).length >= minFigureColumns;
};

const lineWidth = 8;

/** Whether columns are text that reads from top to bottom; else they are a table, which reads row by row. */
export const areProse = (columns: Columns): boolean => {
  const described = [...columns.borders.keys(), columns.borders.length].map((column) =>
    describeColumn(columns, column),
  );
  if (hasWrappedRows(columns) || hasTextRows(columns) || hasFigureColumns(columns)) return false;
  const isProse = ({ lines, width, fill }: Column): boolean => lines >= 3 && width >= lineWidth && fill >= 0.55;
  const prose = described.filter(isProse);
  if (prose.length === 0) return false;
  // Lines beside lines of another column go on in lower case; cells begin with a capital or a figure.
  if (prose.some(({ lower, lines, aligned }) => lower >= 0.25 && lines * aligned >= 4)) return true;
  if (described.some(({ lines, aligned }) => lines >= 2 && aligned < 0.6)) return true;
  if (described.every(({ aligned, upper }) => aligned >= 0.8 && upper >= 0.85)) return false;
  return described.every((column) => column.lines < 3 || isProse(column));
};

/** Rows of bands, by the rules or the space between them, else by their text: a wrapped cell goes on below itself. */
const groupRows = ({ bands, borders }: Columns, separators: readonly number[]): readonly (readonly Band[])[] => {
  const ruled = byRules(bands, separators);
  const groups = ruled ?? (hasWrappedRows({ bands, borders }) ? spacedGroups(bands) : null);
  if (groups === null)
    return hasTextRows({ bands, borders }) ? rowsFromStarts({ bands, borders }) : rowsByText({ bands, borders });
  return groups.flatMap((group) => {
    const columns = { bands: group, borders };
    return areRows(columns) ? rowsByText(columns) : withoutGroupNames(columns);
  });
};

/** Rows of a group of lines: its first line has text in several columns, and a line further left names the rows below. */
const withoutGroupNames = ({ bands, borders }: Columns): readonly (readonly Band[])[] => {
  const [first] = bands;
  const left = first?.fragments[0]?.left ?? 0;
  const isRow = first !== undefined && columnsIn(borders, [first]).size > 1;
  const isName = ({ fragments, size }: Band): boolean =>
    fragments.length === 1 && (fragments[0]?.left ?? left) < left - 0.3 * size;
  const at = isRow ? bands.findIndex((band, index) => index > 0 && isName(band)) : -1;
  return at === -1 ? [bands] : [bands.slice(0, at), bands.slice(at)];
};

/** Rows of bands by their text alone. */
export const rowsByText = (columns: Columns): readonly (readonly Band[])[] => {
  const rows: Band[][] = [];
  for (const band of columns.bands) {
    const row = rows.at(-1);
    if (row !== undefined && continuesRow(columns, row, band)) row.push(band);
    else rows.push([band]);
  }
  return rows;
};

/** Columns of figures that a common head hides become columns of their own. */
const withDividedColumns = (columns: Columns): Columns => {
  const borders = dividedBorders(columns);
  if (borders.length === columns.borders.length) return columns;
  const bands = columns.bands.map((band) => ({
    ...band,
    fragments: band.fragments.flatMap((fragment) => splitAtBorders(fragment, borders)),
  }));
  return { bands, borders };
};

const minValueShare = 0.8;
const minRowShare = 0.75;

/**
 * Whether the bands between two rules are rows of their own: most of them have cells in several columns, and a column of
 * them consists of figures. Cells of wrapped text have none.
 */
export const areRows = ({ bands, borders }: Columns): boolean => {
  if (bands.length < 2) return false;
  const cells = bands.map(({ fragments }) => {
    const texts = new Map<number, string>();
    for (const fragment of fragments) {
      const column = columnAt(borders, fragment);
      texts.set(column, `${texts.get(column) ?? ''} ${textOf(fragment).trim()}`.trim());
    }
    return texts;
  });
  const rows = cells.filter((texts) => texts.size > 1);
  // The first line may be the name of the rows below it.
  const lines = cells[0]?.size === 1 && cells[0].has(0) ? bands.length - 1 : bands.length;
  if (rows.length < 2 || rows.length < minRowShare * lines) return false;
  return [0, ...borders.keys().map((column) => column + 1)].some((column) => {
    const own = rows.flatMap((texts) => texts.get(column) ?? []);
    return (
      own.length >= Math.max(2, minRowShare * rows.length) &&
      own.filter((text) => text.split(/\s+/).every(isValue)).length >= minValueShare * own.length
    );
  });
};

const byRules = (bands: readonly Band[], separators: readonly number[]): readonly (readonly Band[])[] | null => {
  const rows: Band[][] = [];
  let passed = -1;
  for (const band of bands) {
    const above = separators.filter((y) => y < band.baseline - band.size * 0.3).length;
    if (above === passed) rows.at(-1)?.push(band);
    else rows.push([band]);
    passed = above;
  }
  const isRowwise = rows.length >= 3 && rows.length * 4 >= bands.length && rows.every(({ length }) => length <= 8);
  return isRowwise ? rows : null;
};

const continuesRow = ({ borders }: Columns, row: readonly Band[], band: Band): boolean => {
  const above = row.at(-1);
  if (above === undefined) return false;
  const distance = band.baseline - above.baseline;
  if (distance < 0.7 * band.size) return true;
  if (distance > 1.6 * band.size) return false;
  const filled = columnsIn(borders, row);
  const own = columnsIn(borders, [band]);
  if (![...own].every((column) => filled.has(column))) return false;
  const starts = band.fragments.map((fragment) => textOf(fragment).trim());
  if (starts.every((start) => /^[\p{Ll}(]/u.test(start))) return true;
  return !own.has(0) && own.size === 1 && filled.size > 1 && !starts.some((start) => /^[\d.,%€$£+−-]+$/.test(start));
};

/** Text and boxes of a row's cells. A fragment over several columns belongs to each of them. */
const cellsOf = (
  row: readonly Band[],
  borders: readonly number[],
): readonly { readonly text: string; readonly boxes: readonly Box[] }[] => {
  const cells = Array.from({ length: borders.length + 1 }, (): { readonly fragments: Fragment[] }[] => []);
  for (const { fragments } of row) {
    for (const fragment of fragments) {
      const slack = 0.2 * fragment.size;
      const first = borders.filter((border) => border < fragment.left + slack).length;
      const last = borders.filter((border) => border < fragment.right - slack).length;
      const isSpread = last > first && fragments.length > 1 && fragment.isFigure !== true;
      const own = columnAt(borders, fragment);
      for (let column = isSpread ? first : own; column <= (isSpread ? last : own); column += 1) {
        const lines = cells[column];
        const open = lines?.at(-1);
        if (open?.fragments.at(-1)?.baseline === fragment.baseline) open.fragments.push(fragment);
        else lines?.push({ fragments: [fragment] });
      }
    }
  }
  return cells.map((lines) => ({
    text: textOfLines(lines).replace(/\s+/g, ' '),
    boxes: lines.map((line) => around(line.fragments)),
  }));
};

/** Space around a border that no fragment on either side reaches. */
export const gutterAt = (border: number, fragments: readonly Fragment[]) => ({
  left: Math.max(...fragments.map(({ right }) => right).filter((right) => right <= border)),
  right: Math.min(...fragments.map(({ left }) => left).filter((left) => left >= border)),
});

/** Makes a table of bands between gutters. @param separators Heights of the rules across it. */
export const toTable = (found: Columns, separators: readonly number[]): TableBox => {
  const columns = withDividedColumns(found);
  const { bands, borders } = columns;
  const grouped = groupRows(columns, separators);
  const named = joinNames(grouped, columns, separators);
  const head = countHead(grouped, separators);
  const rows = named?.rows ?? joinHead(grouped, head ?? 0, columns);
  const headRows = named?.head ?? (head === undefined ? undefined : head - (grouped.length - rows.length));
  const fragments = bands.flatMap((band) => band.fragments);
  const left = Math.min(...fragments.map((fragment) => fragment.left));
  const cells = rows.map((row) => cellsOf(row, borders));
  return {
    rows: cells.map((row) => row.map(({ text }) => text)),
    boxes: cells.map((row) => row.map(({ boxes }) => boxes)),
    ...(headRows !== undefined && { headRows }),
    size: medianOf(fragments.map((fragment) => fragment.size)),
    columns: [left, ...borders],
    gutters: borders.map((border) => gutterAt(border, fragments)),
    left,
    right: Math.max(...fragments.map((fragment) => fragment.right)),
    top: Math.min(...bands.map(({ top }) => top)),
    bottom: Math.max(...bands.map(({ bottom }) => bottom)),
  };
};

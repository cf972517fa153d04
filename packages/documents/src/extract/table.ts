import { oneLine } from '../../../../shared/kernel/text.ts';
import type { Block } from './cut-units.ts';
import { columnNames, countHeadRows } from './table-header.ts';
import { keyOf, rowLine } from './table-rows.ts';

/** Cells of a table in a document. */
export interface TableGrid {
  /** Text of each cell. A merged cell has its text in every cell that it covers: see `expandSpans`. */
  readonly rows: readonly (readonly string[])[];
  /** Number of first rows that are the head, if the format marks it. Default: it is detected. */
  readonly headRows?: number;
  /** Caption. */
  readonly title?: string;
}

/** Cell of a table before merged cells are expanded. */
export interface SpanningCell {
  readonly text: string;
  /** Number of columns that it covers. Default 1. */
  readonly columns?: number;
  /** Number of rows that it covers. Default 1; 0: all further rows. */
  readonly rows?: number;
}

// A few bytes may state any span. Merged cells beyond this column and these characters have their text once.
const maxSpannedColumns = 200;
const maxRepeatedChars = 200_000;

/** Gives every cell the text of the merged cell that covers it. */
export const expandSpans = (rows: Iterable<Iterable<SpanningCell>>): readonly (readonly string[])[] => {
  const open = new Map<number, { readonly text: string; rows: number }>();
  let repeated = 0;
  const repeat = (text: string): string => {
    repeated += text.length + 1;
    return repeated <= maxRepeatedChars ? text : '';
  };
  return Array.from(rows, (cells) => {
    const line: string[] = [];
    const covered = new Map([...open].filter(([, above]) => above.rows > 0));
    const takeCovered = (): void => {
      for (let above = covered.get(line.length); above !== undefined; above = covered.get(line.length)) {
        covered.delete(line.length);
        above.rows -= 1;
        line.push(repeat(above.text));
      }
    };
    for (const cell of cells) {
      takeCovered();
      const columns = Math.max(1, Math.min(cell.columns ?? 1, maxSpannedColumns - line.length));
      const further = cell.rows === 0 ? Number.POSITIVE_INFINITY : Math.max(1, cell.rows ?? 1) - 1;
      for (let column = 0; column < columns; column += 1) {
        if (further > 0 && line.length < maxSpannedColumns) open.set(line.length, { text: cell.text, rows: further });
        line.push(column === 0 ? cell.text : repeat(cell.text));
      }
    }
    takeCovered();
    for (const [column, above] of covered) {
      while (line.length < column) line.push('');
      above.rows -= 1;
      line.push(repeat(above.text));
    }
    return line;
  });
};

// A chunk has room for a head of this length beside rows. The columns of a wider table are named in each row.
const maxHeadChars = 400;

const withNames = (row: readonly string[], names: readonly string[]): string =>
  row
    .map((cell, column) => {
      const name = names[column] ?? '';
      return cell === '' || name === '' || name === cell ? cell : `${name}: ${cell}`;
    })
    .filter((line) => line !== '')
    .join('\n');

// Shorter values, such as a year over its columns, are repeated in each of them.
const minMergedChars = 12;
const minMergedCells = 4;

/** Whether all cells of a row are one merged cell with words. */
const isMergedRow = (row: readonly string[]): boolean =>
  row.length > 1 && /\p{L}{2}/u.test(row[0] ?? '') && row.every((cell) => cell === row[0]);

/** Line of a row. A long text that was merged over all or many columns is in it once. */
const lineOf = (row: readonly string[]): string => {
  if (row.length > 2 && isMergedRow(row)) return row[0] ?? '';
  const starts = row.map((cell, at) => (at > 0 && cell === row[at - 1] ? -1 : at));
  const cells = row.map((cell, at) => {
    if (starts[at] !== -1 || cell.length < minMergedChars) return cell;
    const from = starts.findLastIndex((start, index) => index < at && start !== -1);
    const next = starts.findIndex((start, index) => index > at && start !== -1);
    return (next === -1 ? row.length : next) - from >= minMergedCells ? '' : cell;
  });
  return rowLine(cells);
};

/**
 * Converts a table to blocks. Its rows are lines with ` | ` between cells, and its title and head are repeated in every
 * chunk. If the head is too long for that, each row is a block with a line `column: value` for every cell. A table of
 * one column is a list of paragraphs.
 */
export const tableBlocks = (
  { rows, headRows, title = '' }: TableGrid,
  about: Pick<Block, 'place' | 'bounds'> = {},
): readonly Block[] => {
  const caption = oneLine(title);
  let heads = headRows;
  const lines = rows.map((row) => row.map(oneLine)).filter((row) => row.some((cell) => cell !== ''));
  const toBlock = (text: string, head?: string): Block => ({
    text,
    level: null,
    ...about,
    ...(head !== undefined && { head }),
  });
  const captions = caption === '' ? [] : [caption];
  const [top] = lines;
  // A first row that is one merged cell is the title of the table.
  if (top !== undefined && lines.length > 2 && isMergedRow(top)) {
    captions.push(top[0] ?? '');
    lines.shift();
    heads = heads === undefined ? undefined : Math.max(0, heads - 1);
  }
  if (lines.every(({ length }) => length < 2)) return [...captions, ...lines.flat()].map((text) => toBlock(text));
  heads ??= countHeadRows(lines);
  const head = [...captions, ...lines.slice(0, heads).map(lineOf)].join('\n');
  if (head.length > maxHeadChars && heads > 0) {
    const names = columnNames(lines.slice(0, heads));
    return [...captions, ...lines.slice(heads).map((row) => withNames(row, names))].map((text) =>
      toBlock(text, keyOf(text)),
    );
  }
  const body = lines.slice(heads).map(lineOf).join('\n');
  const text = [head, body].filter((part) => part !== '').join('\n');
  return [body === '' || head === '' ? toBlock(text) : toBlock(text, head)];
};

import { oneLine } from '../../../../shared/kernel/text.ts';
import type { Place } from './port.ts';
import type { FilledRow } from './table-header.ts';

/** Row of a table: its number in the source (1-based) and its cells by column (0-based). Empty cells may be absent. */
export interface Row {
  readonly number: number;
  readonly cells: Iterable<readonly [number, string]>;
  /** First column of the merged cell that covers a column, for columns of merged cells. */
  readonly merged?: ReadonlyMap<number, number>;
  /** Comments on cells. */
  readonly comments?: readonly CellComment[];
}

/** Comment on a cell. */
export interface CellComment {
  readonly column: number;
  /** Reference of the cell: `B2`. */
  readonly cell: string;
  readonly text: string;
}

/** Context of the rows of one table. */
export interface TableContext {
  readonly place: Place;
  /** Number of first rows that are the head, if the source states it. */
  readonly headRows?: number;
}

/** Maximum columns, as in a sheet of Excel. */
export const maxColumns = 16_384;

// A few bytes may place a cell far to the right. Empty columns beyond these are dropped.
const maxPlaces = 200;

/**
 * Joins cells to a line with ` | ` between them. An empty cell keeps its place, unless all cells after it are empty.
 */
export const rowLine = (cells: readonly string[]): string =>
  cells
    .slice(0, cells.findLastIndex((cell) => cell !== '') + 1)
    .map((cell, at) => (at === 0 ? cell : cell === '' ? ' |' : ` | ${cell}`))
    .join('')
    .trimStart();

/** Row without its empty cells. */
export interface SheetRow extends FilledRow {
  readonly merged: ReadonlyMap<number, number>;
  readonly comments: readonly CellComment[];
  /** First column with a cell. */
  readonly from: number;
  /** Last column with a cell. */
  readonly to: number;
  /** Number of cells. A merged cell counts once. */
  readonly size: number;
}

const nothingMerged: ReadonlyMap<number, number> = new Map();

/** Row with its extent. */
export const toSheetRow = (
  number: number,
  cells: ReadonlyMap<number, string>,
  merged: ReadonlyMap<number, number>,
  comments: readonly CellComment[],
): SheetRow => {
  let from = Number.POSITIVE_INFINITY;
  let to = -1;
  let size = merged.size === 0 ? cells.size : 0;
  for (const column of cells.keys()) {
    if (column < from) from = column;
    if (column > to) to = column;
    if (merged.size > 0 && (merged.get(column) ?? column) === column) size += 1;
  }
  return { number, cells, merged, comments, from, to, size: Math.max(size, Math.min(1, cells.size)) };
};

/** Yields the rows that have text or comments, with each cell in one line. */
export const withoutEmptyCells = function* (rows: Iterable<Row>): Generator<SheetRow> {
  for (const { number, cells, merged = nothingMerged, comments = [] } of rows) {
    const filled = new Map<number, string>();
    for (const [column, cell] of cells) {
      const text = oneLine(cell);
      if (text !== '') filled.set(column, text);
    }
    if (filled.size > 0 || comments.length > 0) yield toSheetRow(number, filled, merged, comments);
  }
};

/** Rows that can be looked at before they are taken. */
export class RowWindow {
  readonly #source: Iterator<SheetRow>;
  readonly #rows: SheetRow[] = [];
  #taken = 0;
  #isDone = false;

  constructor(source: Iterable<SheetRow>) {
    this.#source = source[Symbol.iterator]();
  }

  peek(ahead = 0): SheetRow | undefined {
    while (!this.#isDone && this.#rows.length - this.#taken <= ahead) {
      const next = this.#source.next();
      if (next.done === true) this.#isDone = true;
      else this.#rows.push(next.value);
    }
    return this.#rows[this.#taken + ahead];
  }

  take(): SheetRow | undefined {
    const row = this.peek();
    if (row === undefined) return undefined;
    this.#taken += 1;
    if (this.#taken > 1_000) this.#rows.splice(0, this.#taken);
    if (this.#taken > 1_000) this.#taken = 0;
    return row;
  }
}

/** Columns in order. */
export const ascending = (columns: Iterable<number>): readonly number[] =>
  [...columns].toSorted((one, other) => one - other);

/** Columns with text in any of the rows. */
export const placesOf = (rows: readonly FilledRow[]): ReadonlySet<number> =>
  new Set(ascending(new Set(rows.flatMap(({ cells }) => [...cells.keys()]))).slice(0, maxPlaces));

/** Formats cells in column order, with a place for each column of the table. */
export const withPlaces = (cells: ReadonlyMap<number, string>, places: ReadonlySet<number>): string => {
  const isWithin = cells.keys().every((column) => places.has(column));
  const columns = isWithin ? [...places] : ascending(places.union(new Set(cells.keys())));
  return rowLine(columns.map((column) => cells.get(column) ?? ''));
};

// A row that fits a chunk of any usual size needs no key in its parts.
const minLongRow = 600;
const maxKeyChars = 120;

/** First line of a long row of lines, which every chunk of the row repeats. Undefined: the row is short. */
export const keyOf = (text: string): string | undefined => {
  const end = text.indexOf('\n');
  return text.length >= minLongRow && end > 0 && end <= maxKeyChars ? text.slice(0, end) : undefined;
};

/** Formats cells as lines `column: value`. */
export const withNames = (cells: ReadonlyMap<number, string>, names: ReadonlyMap<number, string>): string => {
  let text = '';
  for (const [column, cell] of cells) {
    const name = names.get(column);
    text += `${text === '' ? '' : '\n'}${name === undefined ? cell : `${name}: ${cell}`}`;
  }
  return text;
};

import { oneLine } from '../../kernel/text.ts';
import type { Block } from './cut-units.ts';
import type { Place } from './port.ts';
import { findHeader, type FilledRow } from './table-header.ts';

/** Row of a table: its number in the source (1-based) and its cells by column (0-based). Empty cells may be absent. */
export interface Row {
  readonly number: number;
  readonly cells: Iterable<readonly [number, string]>;
}

/** Maximum columns, as in a sheet of Excel. */
export const maxColumns = 16_384;

const headerSearch = 10;

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

const withNames = (row: FilledRow, names: ReadonlyMap<number, string>): string =>
  [...row.cells].map(([column, cell]) => (names.has(column) ? `${names.get(column)}: ${cell}` : cell)).join('\n');

const ascending = (columns: Iterable<number>): readonly number[] => [...columns].toSorted((one, other) => one - other);

/** Formats a row in column order, with a place for each column of the table. */
const withPlaces = ({ cells }: FilledRow, places: ReadonlySet<number>): string => {
  const isWithin = cells.keys().every((column) => places.has(column));
  const columns = isWithin ? [...places] : ascending(places.union(new Set(cells.keys())));
  return rowLine(columns.map((column) => cells.get(column) ?? ''));
};

const withoutEmptyCells = function* (rows: Iterable<Row>): Generator<FilledRow> {
  for (const { number, cells } of rows) {
    const filled = new Map<number, string>();
    for (const [column, cell] of cells) {
      const text = oneLine(cell);
      if (text !== '') filled.set(column, text);
    }
    if (filled.size > 0) yield { number, cells: filled };
  }
};

/**
 * Converts table rows to blocks that are understood on their own: a line `column: value` for every non-empty cell. Rows
 * before the header, and all rows without a header, are lines with ` | ` between cells; an empty cell keeps its place.
 * Only the rows searched for a header are read ahead, since a table may exceed the memory.
 */
export const rowBlocks = function* (source: Iterable<Row>, place: Place): Generator<Block> {
  const rows = withoutEmptyCells(source);
  const first: FilledRow[] = [];
  for (let next = rows.next(); next.done !== true; next = rows.next()) {
    first.push(next.value);
    if (first.length === headerSearch) break;
  }
  const header = findHeader(first);
  const places = new Set(ascending(new Set(first.flatMap(({ cells }) => [...cells.keys()]))).slice(0, maxPlaces));
  const toBlock = (row: FilledRow): Block => {
    const isNamed = header !== undefined && row.number > header.number;
    return {
      text: isNamed ? withNames(row, header.cells) : withPlaces(row, places),
      level: null,
      place,
      bounds: { first: { row_start: row.number }, last: { row_end: row.number } },
    };
  };
  for (const row of first) yield toBlock(row);
  for (const row of rows) yield toBlock(row);
};

import type { Block } from './cut-units.ts';
import type { Place } from './port.ts';

/** One row of a table: its number in the source (1-based) and its cells by column (0-based); empty ones may be left out. */
export interface Row {
  readonly number: number;
  readonly cells: Iterable<readonly [number, string]>;
}

interface FilledRow extends Row {
  readonly cells: ReadonlyMap<number, string>;
}

const headerSearch = 10;

const isNumber = (text: string): boolean => /^[\s\d.,:%$€£+\-/]*$/.test(text);

const isRecord = (text: string): boolean => /@|\d{4}-\d{2}-\d{2}|^https?:/.test(text);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The first row that names the columns: as wide as half of the widest near it, words in most of its cells. */
const findHeader = (first: readonly FilledRow[]): FilledRow | undefined => {
  const widest = Math.max(0, ...first.map(({ cells }) => cells.size));
  if (widest < 2 || first.length < 2) return undefined;
  return first.find(({ cells }) => {
    const words = [...cells.values()].filter((cell) => !isNumber(cell)).length;
    const isData = [...cells.values()].some(isRecord);
    return cells.size * 2 > widest && cells.size >= 2 && words * 2 > cells.size && !isData;
  });
};

const withNames = (row: FilledRow, names: ReadonlyMap<number, string>): string =>
  [...row.cells].map(([column, cell]) => (names.has(column) ? `${names.get(column)}: ${cell}` : cell)).join('\n');

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
 * Rows of a table as blocks that are understood on their own: a line `column: value` for every cell that is not empty.
 * Rows before the header, and all of a table without one, are lines with ` | ` between cells. No more rows are taken from
 * the source at a time than a header is searched in, for a table may be larger than memory has room for.
 */
export const rowBlocks = function* (source: Iterable<Row>, place: Place): Generator<Block> {
  const rows = withoutEmptyCells(source);
  const first: FilledRow[] = [];
  for (let next = rows.next(); next.done !== true; next = rows.next()) {
    first.push(next.value);
    if (first.length === headerSearch) break;
  }
  const header = findHeader(first);
  const toBlock = (row: FilledRow): Block => {
    const isNamed = header !== undefined && row.number > header.number;
    const text = isNamed ? withNames(row, header.cells) : [...row.cells.values()].join(' | ');
    return {
      text,
      level: null,
      place,
      bounds: { first: { row_start: row.number }, last: { row_end: row.number } },
    };
  };
  for (const row of first) yield toBlock(row);
  for (const row of rows) yield toBlock(row);
};

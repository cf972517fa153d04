import type { Block } from './cut-units.ts';
import type { Place } from './port.ts';

/** One row of a table: its number in the source (1-based) and its cells by column (0-based), empty ones left out. */
export interface Row {
  readonly number: number;
  readonly cells: ReadonlyMap<number, string>;
}

const headerSearch = 10;

const isNumber = (text: string): boolean => /^[\s\d.,:%$€£+\-/]*$/.test(text);

const isRecord = (text: string): boolean => /@|\d{4}-\d{2}-\d{2}|^https?:/.test(text);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The first row that names the columns: as wide as half of the widest near it, words in most of its cells. */
const findHeader = (rows: readonly Row[]): Row | undefined => {
  const first = rows.slice(0, headerSearch);
  const widest = Math.max(0, ...first.map(({ cells }) => cells.size));
  if (widest < 2 || rows.length < 2) return undefined;
  return first.find(({ cells }) => {
    const words = [...cells.values()].filter((cell) => !isNumber(cell)).length;
    const isData = [...cells.values()].some(isRecord);
    return cells.size * 2 > widest && cells.size >= 2 && words * 2 > cells.size && !isData;
  });
};

const withNames = (row: Row, names: ReadonlyMap<number, string>): string =>
  [...row.cells].map(([column, cell]) => (names.has(column) ? `${names.get(column)}: ${cell}` : cell)).join('\n');

/**
 * Rows of a table as blocks that are understood on their own: a line `column: value` for every cell that is not empty.
 * Rows before the header, and all of a table without one, are lines with ` | ` between cells.
 */
export const rowBlocks = (source: readonly Row[], place: Place): readonly Block[] => {
  const rows = source
    .map(({ number, cells }) => ({
      number,
      cells: new Map(
        [...cells].map(([column, cell]) => [column, oneLine(cell)] as const).filter(([, cell]) => cell !== ''),
      ),
    }))
    .filter(({ cells }) => cells.size > 0);
  const header = findHeader(rows);
  const toBlock = (row: Row): Block => {
    const isNamed = header !== undefined && row.number > header.number;
    const text = isNamed ? withNames(row, header.cells) : [...row.cells.values()].join(' | ');
    return {
      text,
      level: null,
      place,
      bounds: { first: { row_start: row.number }, last: { row_end: row.number } },
    };
  };
  return rows.map(toBlock);
};

import { attributeOf, childrenOf, type XmlElement } from '../parse-xml.ts';
import type { Block } from '../cut-units.ts';
import { rowBlocks } from '../sheet-tables.ts';
import { maxColumns, type Row } from '../table-rows.ts';
import { paragraphsIn, rowsOf } from './odf-text.ts';

const maxCells = 5_000_000;
// A few bytes may repeat a row a billion times.
const maxCopies = 1_000_000;

const repeatOf = (element: XmlElement, attribute: string): number =>
  Math.max(1, Math.min(maxColumns * 64, Number(attributeOf(element, attribute) ?? 1) || 1));

/** Remaining number of cells that may be read, and of those that are mere repetitions. */
interface Budget {
  cells: number;
  copies: number;
}

/** Cells of a row by column. A repeated cell is included as often as it is repeated. */
const cellsOf = (row: XmlElement, budget: Budget): ReadonlyMap<number, string> => {
  const cells = new Map<number, string>();
  let column = 0;
  for (const cell of childrenOf(row)) {
    const text = paragraphsIn(cell).join(' ').trim();
    const repeat = repeatOf(cell, 'number-columns-repeated');
    const wanted = text === '' ? 0 : Math.min(repeat, maxColumns - column, budget.cells, budget.copies + 1);
    for (let at = column; at < column + wanted; at += 1) cells.set(at, text);
    budget.cells -= Math.max(0, wanted);
    budget.copies -= Math.max(0, wanted - 1);
    column += repeat;
  }
  return cells;
};

/** Yields non-empty rows as often as they are repeated. A table often ends with a million empty rows. */
const sheetRows = function* (table: XmlElement, budget: Budget): Generator<Row> {
  let number = 1;
  for (const row of rowsOf(table)) {
    const cells = cellsOf(row, budget);
    const end = number + repeatOf(row, 'number-rows-repeated');
    if (cells.size > 0) yield { number, cells };
    for (let at = number + 1; at < end && cells.size > 0 && cells.size <= budget.copies; at += 1) {
      budget.copies -= cells.size;
      yield { number: at, cells };
    }
    number = end;
  }
};

/** Blocks of the sheets of an ODS, row by row. */
export const sheetBlocks = function* (sheets: readonly XmlElement[]): Generator<Block> {
  const budget = { cells: maxCells, copies: maxCopies };
  for (const table of sheets) {
    const place = { sheet: (attributeOf(table, 'name') ?? '').slice(0, 100).toWellFormed() };
    let isBegun = false;
    for (const row of rowBlocks(sheetRows(table, budget), { place })) {
      if (!isBegun) yield { text: place.sheet, level: 1, place };
      isBegun = true;
      yield row;
    }
  }
};

import { attributeOf, childOf, childrenOf, findAll, textIn, type XmlElement } from '../parse-xml.ts';
import type { Block } from '../cut-units.ts';
import { rowBlocks } from '../sheet-tables.ts';
import { maxColumns, type CellComment, type Row } from '../table-rows.ts';
import { cellValueText } from './odf-cell-text.ts';
import { paragraphsIn, rowsOf } from './odf-text.ts';

const maxCells = 5_000_000;
// A few bytes may repeat a row a billion times.
const maxCopies = 1_000_000;
// Beyond these columns a merged cell has its text once.
const maxSpannedColumns = 200;

const repeatOf = (element: XmlElement, attribute: string): number =>
  Math.max(1, Math.min(maxColumns * 64, Number(attributeOf(element, attribute) ?? 1) || 1));

/** Remaining number of cells that may be read, and of those that are mere repetitions. */
interface Budget {
  cells: number;
  copies: number;
}

/** Sheets of a document with what is left out of them. */
interface SheetReading {
  readonly budget: Budget;
  readonly hidden: { sheets: number; rows: number; columns: number };
}

const isHidden = (element: XmlElement): boolean =>
  /^(?:collapse|filter)$/.test(attributeOf(element, 'visibility') ?? '');

/** Hidden columns, in ranges as the file states them. */
const hiddenColumnsOf = (table: XmlElement): ReadonlySet<number> => {
  const hidden = new Set<number>();
  let column = 0;
  for (const element of findAll(table, 'table-column')) {
    const end = Math.min(maxColumns, column + repeatOf(element, 'number-columns-repeated'));
    for (let at = column; isHidden(element) && at < end; at += 1) hidden.add(at);
    column = end;
  }
  return hidden;
};

/** Merged cell that covers a column in the rows below. */
interface OpenMerge {
  readonly text: string;
  readonly from: number;
  rows: number;
}

const referenceOf = (column: number, row: number): string => {
  const letters = column < 26 ? '' : String.fromCharCode(64 + Math.floor(column / 26));
  return column < 26 * 27 ? `${letters}${String.fromCharCode(65 + (column % 26))}${row}` : `column ${column + 1}`;
};

const commentOf = (cell: XmlElement, column: number, row: number): readonly CellComment[] =>
  childrenOf(cell, 'annotation').flatMap((annotation) => {
    const text = findAll(annotation, 'p').map(textIn).join(' ').trim();
    return text === '' ? [] : [{ column, cell: referenceOf(column, row), text }];
  });

/** Reads the rows of one sheet. */
class SheetRowsReader {
  readonly #reading: SheetReading;
  readonly #hiddenColumns: ReadonlySet<number>;
  readonly #omitted = new Set<number>();
  readonly #merges = new Map<number, OpenMerge>();

  constructor(table: XmlElement, reading: SheetReading) {
    this.#reading = reading;
    this.#hiddenColumns = hiddenColumnsOf(table);
  }

  /** Yields non-empty rows as often as they are repeated. A table often ends with a million empty rows. */
  *rows(table: XmlElement): Generator<Row> {
    const { budget, hidden } = this.#reading;
    let number = 1;
    for (const element of rowsOf(table)) {
      const row = this.#row(element, number);
      const end = number + repeatOf(element, 'number-rows-repeated');
      const size = Array.from(row.cells).length;
      const isFilled = size > 0 || (row.comments?.length ?? 0) > 0;
      if (isFilled && isHidden(element)) hidden.rows += end - number;
      if (isFilled && !isHidden(element)) {
        yield row;
        const copies = size === 0 ? 0 : Math.min(end - number - 1, Math.floor(budget.copies / size));
        budget.copies -= copies * size;
        for (let copy = 1; copy <= copies; copy += 1) yield { number: number + copy, cells: row.cells };
      }
      number = end;
    }
  }

  /** Cells of a row by column. A repeated cell is included as often as it is repeated. */
  #row(element: XmlElement, number: number): Row {
    const { budget } = this.#reading;
    const cells = new Map<number, string>();
    const merged = new Map<number, number>();
    const comments: CellComment[] = [];
    let column = 0;
    for (const cell of childrenOf(element)) {
      const repeat = repeatOf(cell, 'number-columns-repeated');
      if (cell.name === 'covered-table-cell') this.#cover(column, Math.min(repeat, maxSpannedColumns), cells, merged);
      else {
        const text = cellValueText(cell, paragraphsIn(cell).join(' ').trim());
        const wanted = text === '' ? 0 : Math.min(repeat, maxColumns - column, budget.cells, budget.copies + 1);
        for (let at = column; at < column + wanted; at += 1) cells.set(at, text);
        budget.cells -= Math.max(0, wanted);
        budget.copies -= Math.max(0, wanted - 1);
        comments.push(...commentOf(cell, column, number));
        this.#merge(cell, column, text, merged);
      }
      column += repeat;
    }
    for (const at of this.#hiddenColumns.size === 0 ? [] : [...cells.keys()]) {
      if (!this.#hiddenColumns.has(at)) continue;
      cells.delete(at);
      this.#omitted.add(at);
    }
    return { number, cells, merged, comments: comments.filter((comment) => !this.#hiddenColumns.has(comment.column)) };
  }

  get omittedColumns(): number {
    return this.#omitted.size;
  }

  #merge(cell: XmlElement, column: number, text: string, merged: Map<number, number>): void {
    const columns = repeatOf(cell, 'number-columns-spanned');
    const rows = repeatOf(cell, 'number-rows-spanned');
    const end = Math.min(column + columns, column + maxSpannedColumns);
    for (let at = column; at < end; at += 1) {
      if (columns * rows > 1 && text !== '') this.#merges.set(at, { text, from: column, rows });
      else this.#merges.delete(at);
    }
    if (columns > 1 && text !== '') merged.set(column, column);
  }

  /** Gives covered cells the text of the merged cell. */
  #cover(column: number, count: number, cells: Map<number, string>, merged: Map<number, number>): void {
    const { budget } = this.#reading;
    for (let at = column; at < column + count; at += 1) {
      const merge = this.#merges.get(at);
      if (merge === undefined || budget.copies <= 0) continue;
      budget.copies -= 1;
      cells.set(at, merge.text);
      merged.set(at, merge.from);
    }
  }
}

/** Text boxes and shapes that are placed on a sheet. */
const shapesOf = (table: XmlElement): readonly string[] =>
  childrenOf(childOf(table, 'shapes'))
    .map((shape) => paragraphsIn(shape).join('\n').trim())
    .filter((text) => text !== '');

/** Names of the styles of hidden sheets. */
const hiddenStylesOf = (styles: XmlElement | undefined): ReadonlySet<string> =>
  new Set(
    childrenOf(styles, 'style')
      .filter((style) => attributeOf(childOf(style, 'table-properties'), 'display') === 'false')
      .map((style) => attributeOf(style, 'name') ?? ''),
  );

const plural = (count: number, name: string): readonly string[] =>
  count === 0 ? [] : [`${count} hidden ${name}${count === 1 ? '' : 's'}`];

/** Blocks of the visible sheets of an ODS, row by row, and a note about what is hidden. */
export const readSheets = (
  sheets: readonly XmlElement[],
  styles: XmlElement | undefined,
): { readonly blocks: readonly Block[]; readonly notes: readonly string[] } => {
  const reading: SheetReading = {
    budget: { cells: maxCells, copies: maxCopies },
    hidden: { sheets: 0, rows: 0, columns: 0 },
  };
  const hiddenStyles = hiddenStylesOf(styles);
  const blocks: Block[] = [];
  for (const table of sheets) {
    if (hiddenStyles.has(attributeOf(table, 'style-name') ?? '')) {
      reading.hidden.sheets += 1;
      continue;
    }
    const place = { sheet: (attributeOf(table, 'name') ?? '').slice(0, 100).toWellFormed() };
    const reader = new SheetRowsReader(table, reading);
    const begin = blocks.length;
    for (const block of rowBlocks(reader.rows(table), { place })) {
      if (blocks.length === begin) blocks.push({ text: place.sheet, level: 0, place });
      blocks.push(block);
    }
    for (const [at, text] of shapesOf(table).entries()) {
      if (blocks.length === begin) blocks.push({ text: place.sheet, level: 0, place });
      blocks.push({ text, level: null, place, isApart: at === 0 });
    }
    reading.hidden.columns += reader.omittedColumns;
  }
  const { hidden } = reading;
  const parts = [...plural(hidden.sheets, 'sheet'), ...plural(hidden.rows, 'row'), ...plural(hidden.columns, 'column')];
  return { blocks, notes: parts.length === 0 ? [] : [`Hidden content was not read: ${parts.join(', ')}.`] };
};

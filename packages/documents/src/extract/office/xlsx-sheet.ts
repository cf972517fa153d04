import { decodeString, type Workbook } from './xlsx-workbook.ts';
import { plain } from './number-formats.ts';
import { markRaised, renderRaised } from '../text/superscript.ts';
import { visitXml, type XmlVisitor } from '../parse-xml.ts';
import { maxColumns, type CellComment, type Row } from '../table-rows.ts';

/** Range of cells: rows 1-based, columns 0-based, all inclusive. */
export interface CellRange {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

/** Content of a sheet that is visible. */
export interface Sheet {
  readonly rows: readonly Row[];
  /** Number of formulas without a value, which a program wrote that does not compute. */
  readonly formulasWithoutValue: number;
  /** Numbers of rows and columns with content that are hidden. */
  readonly hiddenRows: number;
  readonly hiddenColumns: number;
}

const maxCells = 5_000_000;
const maxMerges = 100_000;
// A few bytes may merge any range. Beyond these bounds a merged cell has its text once.
const maxMergedColumns = 200;
const maxRepeatedChars = 16_000_000;
const maxColumnElements = 2_000;

/** Column of a cell reference. A cell without one follows the cell before it. */
const columnOf = (reference: string | undefined, after: number): number => {
  const letters = /^[A-Z]+/i.exec(reference ?? '')?.[0]?.toUpperCase();
  if (letters === undefined) return after + 1;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
};

/** Parses a reference such as `B2` or `A1:D20`. */
export const rangeOf = (reference: string | undefined): CellRange | undefined => {
  const [from, to = from] = (reference ?? '').replaceAll('$', '').split(':');
  const [first, last] = [from, to].map((cell) => ({
    column: columnOf(cell, -2),
    row: Number(/\d+$/.exec(cell ?? '')),
  }));
  if (first === undefined || last === undefined || first.column < 0 || !(first.row > 0)) return undefined;
  return { firstRow: first.row, lastRow: last.row, firstColumn: first.column, lastColumn: last.column };
};

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

/** Merged cells, which come after the rows in the file. */
const readMerges = async (xml: string): Promise<readonly CellRange[]> => {
  const merges: CellRange[] = [];
  await visitXml(xml.slice(Math.max(0, xml.lastIndexOf('sheetData'))), {
    open: (name, attributes) => {
      const range = name === 'mergeCell' && merges.length < maxMerges ? rangeOf(attributes['ref']) : undefined;
      if (range !== undefined) merges.push(range);
    },
    text: () => {},
    close: () => {},
  });
  return merges.toSorted((one, other) => one.firstRow - other.firstRow);
};

/** Gives each cell the text of the merged cell that covers it. Rows come in order. */
const mergeFiller = (
  merges: readonly CellRange[],
): ((number: number, cells: Map<number, string>) => ReadonlyMap<number, number>) => {
  const open = new Map<number, { readonly text: string; readonly from: number; readonly lastRow: number }>();
  let next = 0;
  let repeatedChars = 0;
  return (number, cells) => {
    for (let merge = merges[next]; merge !== undefined && merge.firstRow <= number; merge = merges[next]) {
      next += 1;
      const text = merge.firstRow === number ? cells.get(merge.firstColumn) : undefined;
      if (text === undefined) continue;
      const last = Math.min(merge.lastColumn, merge.firstColumn + maxMergedColumns);
      for (let column = merge.firstColumn; column <= last; column += 1) {
        open.set(column, { text, from: merge.firstColumn, lastRow: merge.lastRow });
      }
    }
    const merged = new Map<number, number>();
    if (cells.size === 0) return merged;
    if (repeatedChars > maxRepeatedChars) open.clear();
    for (const [column, { text, from, lastRow }] of open) {
      if (lastRow < number) open.delete(column);
      else {
        merged.set(column, from);
        if (cells.has(column)) continue;
        repeatedChars += text.length + 1;
        cells.set(column, text);
      }
    }
    return merged;
  };
};

const cellText = (value: string, type: string, style: number, { strings, formats }: Workbook): string => {
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type === 'd') return value.replace(/T00:00:00(?:\.0+)?Z?$/, '');
  if (type !== '' && type !== 'n') return renderRaised(decodeString(value));
  return (formats[style] ?? plain)(value);
};

/** Collects the visible rows of a sheet while its XML is visited. */
class SheetRows implements XmlVisitor {
  readonly rows: Row[] = [];
  readonly omittedColumns = new Set<number>();
  formulasWithoutValue = 0;
  hiddenRows = 0;
  readonly #workbook: Workbook;
  readonly #comments: Map<number, readonly CellComment[]>;
  readonly #fill: ReturnType<typeof mergeFiller>;
  readonly #hiddenColumns = new Set<number>();
  #columnElements = 0;
  #cells = new Map<number, string>();
  #number = 0;
  #column = -1;
  #cell = { type: '', style: 0, value: '', isFormula: false };
  #isValue = false;
  #isRaised = false;
  #isHidden = false;
  #aids = 0;
  #count = 0;

  constructor(workbook: Workbook, comments: ReadonlyMap<number, readonly CellComment[]>, merges: readonly CellRange[]) {
    this.#workbook = workbook;
    this.#comments = new Map(comments);
    this.#fill = mergeFiller(merges);
  }

  readonly open: XmlVisitor['open'] = (name, attributes) => {
    if (name === 'row') this.#openRow(attributes);
    else if (name === 'c') {
      this.#column = columnOf(attributes['r'], this.#column);
      this.#cell = { type: attributes['t'] ?? '', style: Number(attributes['s'] ?? 0), value: '', isFormula: false };
      this.#isRaised = false;
    } else if (name === 'col') this.#hideColumns(attributes);
    if (name === 'f') this.#cell.isFormula = true;
    if (name === 'rPh') this.#aids += 1;
    if (name === 'r') this.#isRaised = false;
    if (name === 'vertAlign') this.#isRaised = attributes['val'] === 'superscript';
    this.#isValue = name === 'v' || (name === 't' && this.#aids === 0);
  };

  readonly text: XmlVisitor['text'] = (text) => {
    if (this.#isValue) this.#cell.value += this.#isRaised ? markRaised(text) : text;
  };

  readonly close: XmlVisitor['close'] = (name) => {
    this.#isValue = false;
    if (name === 'rPh') this.#aids -= 1;
    if (name === 'row') this.#closeRow();
    if (name === 'c') this.#closeCell();
  };

  /** Adds rows that have visible comments and no cells. */
  addCommentedRows(): readonly Row[] {
    const rows = [...this.#comments].map(([number, comments]) => ({
      number,
      cells: [],
      comments: this.#visible(comments),
    }));
    const added = rows.filter(({ comments }) => comments.length > 0);
    return added.length === 0
      ? this.rows
      : [...this.rows, ...added].toSorted((one, other) => one.number - other.number);
  }

  #openRow(attributes: Readonly<Record<string, string>>): void {
    this.#cells = new Map();
    this.#number = Number(attributes['r'] ?? this.#number + 1) || this.#number + 1;
    this.#column = -1;
    this.#isHidden = isTrue(attributes['hidden']) || attributes['ht'] === '0';
  }

  #hideColumns({ min, max, hidden, width }: Readonly<Record<string, string>>): void {
    this.#columnElements += 1;
    if (this.#columnElements > maxColumnElements || !(isTrue(hidden) || width === '0')) return;
    const last = Math.min(maxColumns, Number(max));
    for (let at = Number(min); at <= last; at += 1) this.#hiddenColumns.add(at - 1);
  }

  #visible(comments: readonly CellComment[]): readonly CellComment[] {
    return comments.filter(({ column }) => !this.#hiddenColumns.has(column));
  }

  #closeRow(): void {
    const [number, cells] = [this.#number, this.#cells];
    const merged = this.#fill(number, cells);
    const comments = this.#visible(this.#comments.get(number) ?? []);
    this.#comments.delete(number);
    if (this.#isHidden) {
      this.hiddenRows += cells.size > 0 ? 1 : 0;
      return;
    }
    for (const column of this.#hiddenColumns.size === 0 ? [] : [...cells.keys()]) {
      if (!this.#hiddenColumns.has(column)) continue;
      cells.delete(column);
      this.omittedColumns.add(column);
    }
    const inOrder = merged.size === 0 ? cells : [...cells].toSorted(([one], [other]) => one - other);
    if (cells.size > 0 || comments.length > 0) this.rows.push({ number, cells: inOrder, merged, comments });
  }

  #closeCell(): void {
    const { type, style, value, isFormula } = this.#cell;
    // An empty string is a value.
    if (isFormula && value === '' && type !== 'str') this.formulasWithoutValue += 1;
    if (value === '' || this.#column >= maxColumns || this.#count >= maxCells) return;
    this.#count += 1;
    this.#cells.set(this.#column, cellText(value, type, style, this.#workbook));
  }
}

/** Reads the visible rows of a sheet. @param comments Comments by row. */
export const readSheet = async (
  workbook: Workbook,
  part: string,
  comments: ReadonlyMap<number, readonly CellComment[]>,
): Promise<Sheet> => {
  const xml = (await workbook.office.archive.text(part)) ?? '';
  const read = new SheetRows(workbook, comments, await readMerges(xml));
  await visitXml(xml, read);
  const { formulasWithoutValue, hiddenRows, omittedColumns } = read;
  return { rows: read.addCommentedRows(), formulasWithoutValue, hiddenRows, hiddenColumns: omittedColumns.size };
};

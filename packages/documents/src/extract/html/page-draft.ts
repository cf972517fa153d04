import { oneLine } from '../../../../../shared/kernel/text.ts';
import { expandSpans, type SpanningCell, type TableGrid } from '../table.ts';
import { countHeadRows } from '../table-header.ts';
import { rowLine } from '../table-rows.ts';
import type { AttributeOf } from './tag-names.ts';
import { renderRaised } from '../text/superscript.ts';

// A longer list or table is taken in segments; it is cut into units in any case.
const maxChars = 64 * 1024;

// A longer cell with several paragraphs belongs to a page that is laid out as a table.
const maxCellChars = 1_000;

// Marks in the collected text. Unicode reserves these code points for use inside a program.
export const lineBreak = '\uFDD0';
export const paragraphBreak = '\uFDD1';
export const cellEnd = '\uFDD2';
/** Separates two words, unless white space or punctuation already does. */
export const wordBreak = '\uFDD3';
/** Enclose the mark of a note. */
export const noteStart = '\uFDDB';
export const noteEnd = '\uFDDC';
/** Precedes lowered text, which may be the denominator of a fraction. */
export const loweredStart = '\uFDD9';
/** Follows a list marker, and becomes the space before the item's text. */
export const itemStart = '\uFDD4';

/** Renders a run of marks and white space. Each run is visited once, which keeps this linear for every page. */
const renderGap = (gap: string): string => {
  if (gap.includes(itemStart)) return ' ';
  if (gap.includes(paragraphBreak)) return '\n\n';
  if (gap.includes(lineBreak)) return '\n';
  if (gap.includes(cellEnd)) return ' | ';
  const lineEnds = gap.split('\n');
  if (lineEnds.length === 1) return ' ';
  // A single space after a line end is layout of the source; more are indentation of code.
  const indentation = lineEnds.at(-1) ?? '';
  return (lineEnds.length > 2 ? '\n\n' : '\n') + (indentation.length > 1 ? indentation : '');
};

/** Writes fractions in one line: `3/8` where the numerator is raised and the denominator lowered. */
const renderFractions = (text: string): string =>
  text
    .replace(
      /(\d?)\uFDD5\s*([\p{L}\d.,]{1,12})\s*\uFDD6\s*(?:[\u2044\u2215]\s*\uFDD9?|\/\s*\uFDD9)\s*(?=[\p{L}\d])/gu,
      (_, before: string, above: string) => `${before}${before === '' ? '' : ' '}${above}/`,
    )
    .replace(/(?<=\d)\u2044(?=\d)/g, '/')
    .replaceAll(loweredStart, '');

/** Writes the marks of notes in brackets, so that no mark becomes part of the word or figure before it. */
const renderNotes = (text: string): string =>
  text.replace(/(?:\uFDD5\s*)?\uFDDB([^\uFDDB\uFDDC]*)\uFDDC(?:\s*\uFDD6)?/g, (_, note: string) => {
    const mark = note.replace(/[\uFDD5\uFDD6]/g, '').trim();
    return wordBreak + (/^[\p{L}\p{N}]{1,4}$/u.test(mark) ? `\uFDDA${mark}]` : mark) + wordBreak;
  });

const tidy = (text: string): string =>
  renderRaised(renderFractions(renderNotes(text)))
    .replace(/[\uFDDB\uFDDC]/g, '')
    .replace(/(?<=\S)\uFDD3(?=[^\s\p{P}])/gu, ' ')
    .replaceAll(wordBreak, '')
    .replaceAll('\uFDDA', '[')
    // An item whose text is a heading has no text here.
    .replace(/(?:-|-?\d{1,10}\.)\uFDD4[\s\uFDD0-\uFDD2]*$/, '')
    .replace(/[\s\uFDD0-\uFDD2\uFDD4]+/g, renderGap)
    .replace(/(?: \|)? $/, '')
    .trim();

interface OpenCell {
  readonly columns: number;
  readonly rows: number;
  readonly isHead: boolean;
}

interface OpenRow {
  /** Index of its first part. */
  readonly start: number;
  readonly cells: OpenCell[];
  /** Whether it may become one line: it contains no heading and no table. */
  isLine: boolean;
}

const breaks = /[\uFDD0\uFDD1\uFDD4]+/g;

const isLayout = (cell: string): boolean => cell.length > maxCellChars && cell.search(breaks) !== -1;

// A cell that fills a whole row with longer paragraphs is text on a page that is laid out as a table.
const maxLoneChars = 200;

const cellText = (raw: string): string =>
  oneLine(/[\uFDD0-\uFDDC\u2044]/.test(raw) ? tidy(raw.replace(breaks, ' ')) : raw);

/** Whether a text consists of line numbers beside code, each one more than the one before. */
const isGutter = (text: string): boolean => {
  const numbers = text.trim().split(/\s+/);
  const first = Number(numbers[0]);
  return numbers.length > 1 && numbers.every((number, at) => /^\d{1,7}$/.test(number) && Number(number) === first + at);
};

const maxCoveredRows = 1_000;

/** Table whose end has not been read. */
class OpenTable {
  /** Index of its first part, and characters before it. */
  start: number;
  startChars: number;
  /** Characters of its rows. */
  chars = 0;
  title = '';
  captionStart: number | null = null;
  /** Number of open elements that mark rows as head. */
  headDepth = 0;
  /** Whether tags mark it as data. */
  isMarked = false;
  /** Whether it has rows and columns, and its text is not yet taken. Otherwise it is the layout of a page. */
  isGrid: boolean;
  /** Whether it is written in one line within a cell of another table. */
  readonly isInCell: boolean;
  private rows: (readonly SpanningCell[])[] = [];
  /** Number of rows up to the last that a merged cell covers. */
  private coveredRows = 0;
  /** Number of first rows that are marked as head. */
  private headRows = 0;
  /** Rows of the head if rows were taken before. */
  private head: readonly (readonly string[])[] | null = null;

  constructor(start: number, startChars: number, kind: { readonly isGrid: boolean; readonly isInCell: boolean }) {
    this.start = start;
    this.startChars = startChars;
    this.isGrid = kind.isGrid;
    this.isInCell = kind.isInCell;
  }

  addRow(facts: readonly OpenCell[], texts: readonly string[]): void {
    const cells = facts.map(({ columns, rows }, at) => ({ text: cellText(texts[at] ?? ''), columns, rows }));
    const isHead = facts.length > 0 && facts.every((cell, at) => cell.isHead || cells[at]?.text === '');
    if (isHead && this.head === null && this.headRows === this.rows.length) this.headRows += 1;
    this.rows.push(cells);
    this.chars += texts.reduce((sum, text) => sum + text.length, 0);
    const covered = Math.max(1, ...facts.map(({ rows }) => Math.min(rows, maxCoveredRows)));
    this.coveredRows = Math.max(this.coveredRows, this.rows.length - 1 + covered);
  }

  /** Whether it should be taken after a row, if possible after the last one that a merged cell covers. */
  isLong(): boolean {
    return this.chars > (this.coveredRows > this.rows.length ? 4 : 1) * maxChars;
  }

  /** Whether it is a table, or the rest of one. */
  hasColumns(): boolean {
    if (this.head !== null) return this.rows.length > 0;
    return this.rows.length > 1 && this.rows.some((cells) => cells.length > 1);
  }

  /** Rows with merged cells expanded. A single cell that fills a whole row has its text once. */
  lines(): readonly (readonly string[])[] {
    return expandSpans(this.rows).map((row, at) => {
      const isAlone = this.rows[at]?.length === 1 && row.length > 1 && row.every((cell) => cell === row[0]);
      return isAlone ? row.slice(0, 1) : row;
    });
  }

  grid(): TableGrid {
    const lines = this.lines();
    const isHeadMarked = this.headRows > 0 && this.headRows < this.rows.length;
    const head = this.head ?? (isHeadMarked ? lines.slice(0, this.headRows) : null);
    return {
      rows: this.head === null ? lines : [...this.head, ...lines],
      ...(head !== null && { headRows: head.length }),
      title: this.title,
    };
  }

  /** Returns the rows so far. Later rows follow the same head. */
  takeRows(): TableGrid {
    const grid = this.grid();
    this.head ??= grid.rows.slice(0, grid.headRows ?? countHeadRows(grid.rows));
    this.rows = [];
    this.chars = 0;
    this.coveredRows = 0;
    return grid;
  }
}

const spanOf = (value: string | null | undefined): number =>
  /^\s*\d{1,9}/.test(value ?? '') ? Number.parseInt(value ?? '', 10) : 1;

const isLayoutRole = (role: string | null | undefined): boolean => /^\s*(?:presentation|none)\b/i.test(role ?? '');

/** Text of a page since its last block, with marks between its parts. */
export class PageDraft {
  private parts: string[] = [];
  private chars = 0;
  private readonly rows: OpenRow[] = [];
  private readonly tables: OpenTable[] = [];
  private codeStart: number | null = null;

  write(part: string): void {
    this.parts.push(part);
    this.chars += part.length;
  }

  /** Begins an element of a table. Other elements are ignored. @param name In upper case. */
  openInTable(name: string, attributeOf: AttributeOf): void {
    const table = this.tables.at(-1);
    if (name === 'TABLE') this.openTable(isLayoutRole(attributeOf('role')));
    else if (name === 'TR') this.openRow();
    else if (table === undefined) return;
    else if (name === 'CAPTION') table.captionStart = this.parts.length;
    else if (name === 'THEAD') table.headDepth += 1;
    else if (name === 'TD' || name === 'TH') {
      const isHead = name === 'TH' || table.headDepth > 0;
      table.isMarked ||= isHead;
      const [columns, rows] = [spanOf(attributeOf('colspan')), spanOf(attributeOf('rowspan'))];
      this.rows.at(-1)?.cells.push({ columns, rows, isHead });
    }
  }

  /**
   * Ends an element of a table. Returns the rows of a table that ends, if it is data; the text before it is to be taken
   * first.
   */
  closeInTable(name: string): TableGrid | null {
    const table = this.tables.at(-1);
    if (name === 'TR') this.closeRow();
    if (name === 'THEAD' && table !== undefined) table.headDepth -= 1;
    if (name === 'CAPTION' && table !== undefined && table.captionStart !== null) {
      table.title = cellText(this.parts.slice(table.captionStart).join(''));
      table.captionStart = null;
    }
    return name === 'TABLE' ? this.closeTable() : null;
  }

  /** Returns the rows of a long table so far, which remains open. Null if none is open. */
  takeRows(): TableGrid | null {
    const [table] = this.tables;
    if (this.tables.length !== 1 || this.rows.length > 0 || table?.isGrid !== true || !table.hasColumns()) return null;
    this.cutAt(table.start, table.startChars);
    return table.takeRows();
  }

  openCode(): void {
    this.codeStart = this.parts.length;
  }

  /** Ends the code that was opened last, if it is open. In a row its lines stay lines, and line numbers are dropped. */
  closeCode(): void {
    const start = this.codeStart;
    this.codeStart = null;
    if (start === null || this.rows.length === 0) return;
    const text = this.parts.slice(start).join('');
    if (text.trim().includes('\n')) this.breakRow();
    if (isGutter(text)) this.cutAt(start, this.chars - text.length);
  }

  /** Whether the text is long enough to be taken. */
  isLong(): boolean {
    const [table] = this.tables;
    if (table?.isGrid !== true) return this.chars > maxChars;
    return this.chars > 16 * maxChars || (this.rows.length === 0 && table.isLong());
  }

  /** Returns the written text and starts an empty one. */
  take(): string {
    this.breakRow();
    for (const table of this.tables) {
      if (this.parts.length > table.start) table.isGrid = false;
      table.start = 0;
      table.startChars = 0;
    }
    const text = tidy(this.parts.join(''));
    this.parts = [];
    this.chars = 0;
    this.codeStart = null;
    return text;
  }

  private cutAt(start: number, charsBefore: number): void {
    this.parts.length = start;
    this.chars = charsBefore;
  }

  /** Marks the open row as more than one line. */
  private breakRow(): void {
    const row = this.rows.at(-1);
    if (row !== undefined) row.isLine = false;
  }

  private openTable(isDeclaredLayout: boolean): void {
    const outer = this.tables.at(-1);
    const isInCell = outer?.isGrid === true && outer.isMarked && this.rows.length > 0 && !isDeclaredLayout;
    if (!isInCell) this.breakRow();
    this.tables.push(new OpenTable(this.parts.length, this.chars, { isGrid: !isDeclaredLayout, isInCell }));
  }

  private openRow(): void {
    if (this.tables.at(-1)?.isInCell !== true) this.breakRow();
    this.rows.push({ start: this.parts.length, cells: [], isLine: true });
  }

  /** Ends a row. A row of several cells becomes one line, even if a cell has several paragraphs. */
  private closeRow(): void {
    const row = this.rows.pop();
    const table = this.tables.at(-1);
    if (row === undefined) return;
    const text = row.isLine ? this.parts.slice(row.start).join('') : '';
    const cells = text.split(cellEnd);
    const isLong = cells.some(isLayout);
    const isLone = row.cells.length === 1 && text.length > maxLoneChars && text.includes(paragraphBreak);
    if (table !== undefined && (!row.isLine || isLong || (isLone && !table.isMarked))) table.isGrid = false;
    if (!row.isLine || isLong) return;
    if (table?.isGrid === true) table.addRow(row.cells, cells);
    // The text after the last cell end counts as a cell.
    if (cells.length <= 2) return;
    this.cutAt(row.start, this.chars - text.length);
    this.write(rowLine(cells.map((cell) => oneLine(cell.replace(breaks, ' ')))));
  }

  private closeTable(): TableGrid | null {
    const table = this.tables.pop();
    if (table?.isGrid !== true) {
      if (table?.isInCell === true) this.breakRow();
      return null;
    }
    if (table.isInCell) {
      const lines = table.lines().map((row) => row.filter((cell) => cell !== '').join(', '));
      this.cutAt(table.start, table.startChars);
      this.write(` ${[table.title, ...lines].filter((line) => line !== '').join('; ')} `);
      return null;
    }
    if (!table.hasColumns()) return null;
    this.cutAt(table.start, table.startChars);
    return table.grid();
  }
}

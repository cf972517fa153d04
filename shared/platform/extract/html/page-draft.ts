import { oneLine } from '../../../kernel/text.ts';
import { rowLine } from '../table-rows.ts';

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

const tidy = (text: string): string =>
  text
    .replace(/(?<=\S)\uFDD3(?=[^\s\p{P}])/gu, ' ')
    .replaceAll(wordBreak, '')
    // An item whose text is a heading has no text here.
    .replace(/(?:-|-?\d{1,10}\.)\uFDD4[\s\uFDD0-\uFDD2]*$/, '')
    .replace(/[\s\uFDD0-\uFDD2\uFDD4]+/g, renderGap)
    .replace(/(?: \|)? $/, '')
    .trim();

interface OpenRow {
  /** Index of its first part. */
  readonly start: number;
  /** Whether it may become one line: it contains no heading and no table. */
  isLine: boolean;
}

const breaks = /[\uFDD0\uFDD1\uFDD4]+/g;

const isLayout = (cell: string): boolean => cell.length > maxCellChars && cell.search(breaks) !== -1;

/** Whether a text consists of line numbers beside code, each one more than the one before. */
const isGutter = (text: string): boolean => {
  const numbers = text.trim().split(/\s+/);
  const first = Number(numbers[0]);
  return numbers.length > 1 && numbers.every((number, at) => /^\d{1,7}$/.test(number) && Number(number) === first + at);
};

/** Text of a page since its last block, with marks between its parts. */
interface Draft {
  readonly write: (part: string) => void;
  readonly openRow: () => void;
  /**
   * Ends the row that was opened last. A row of several cells becomes one line, even if a cell has several paragraphs.
   */
  readonly closeRow: () => void;
  /** Marks the open row as more than one line. */
  readonly breakRow: () => void;
  readonly openCode: () => void;
  /** Ends the code that was opened last, if it is open. In a row its lines stay lines, and line numbers are dropped. */
  readonly closeCode: () => void;
  /** Whether the text is long enough to be taken. */
  readonly isLong: () => boolean;
  /** Returns the written text and starts an empty one. */
  readonly take: () => string;
}

/** Creates an empty draft. */
export const openDraft = (): Draft => {
  let parts: string[] = [];
  let chars = 0;
  const rows: OpenRow[] = [];
  const write = (part: string): void => {
    parts.push(part);
    chars += part.length;
  };
  const breakRow = (): void => {
    const row = rows.at(-1);
    if (row !== undefined) row.isLine = false;
  };
  const openRow = (): void => {
    breakRow();
    rows.push({ start: parts.length, isLine: true });
  };
  const closeRow = (): void => {
    const row = rows.pop();
    if (row?.isLine !== true) return;
    const text = parts.slice(row.start).join('');
    const cells = text.split(cellEnd);
    // The text after the last cell end counts as a cell.
    if (cells.length <= 2 || cells.some(isLayout)) return;
    parts.length = row.start;
    chars -= text.length;
    write(rowLine(cells.map((cell) => oneLine(cell.replace(breaks, ' ')))));
  };
  let codeStart: number | null = null;
  const openCode = (): void => {
    codeStart = parts.length;
  };
  const closeCode = (): void => {
    const start = codeStart;
    codeStart = null;
    if (start === null || rows.length === 0) return;
    const text = parts.slice(start).join('');
    if (text.trim().includes('\n')) breakRow();
    if (!isGutter(text)) return;
    parts.length = start;
    chars -= text.length;
  };
  const take = (): string => {
    breakRow();
    const text = tidy(parts.join(''));
    parts = [];
    chars = 0;
    codeStart = null;
    return text;
  };
  return { write, openRow, closeRow, breakRow, openCode, closeCode, take, isLong: () => chars > maxChars };
};

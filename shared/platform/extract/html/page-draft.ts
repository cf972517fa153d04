import { oneLine } from '../../../kernel/text.ts';
import { rowLine } from '../table-rows.ts';

// A list or table of more is taken in portions: it is cut into units all the same.
const mostChars = 64 * 1024;

// Paragraphs of more in one cell are those of a page that is laid out as a table.
const mostCellChars = 1_000;

// Marks in the collected text, taken from code points that Unicode reserves for use inside a program.
export const lineBreak = '\uFDD0';
export const paragraphBreak = '\uFDD1';
export const cellEnd = '\uFDD2';
/** Parts two words; where white space or a sign does so, it is nothing. */
export const wordBreak = '\uFDD3';
/** Follows the mark of an item of a list, and is the gap between that and its words. */
export const itemStart = '\uFDD4';

/** What stands for a run of marks and white space. One look at each run keeps this linear, whatever the page holds. */
const renderGap = (gap: string): string => {
  if (gap.includes(itemStart)) return ' ';
  if (gap.includes(paragraphBreak)) return '\n\n';
  if (gap.includes(lineBreak)) return '\n';
  if (gap.includes(cellEnd)) return ' | ';
  const lineEnds = gap.split('\n');
  if (lineEnds.length === 1) return ' ';
  // A single space after a line end is layout of the source, more is the indentation of code.
  const indentation = lineEnds.at(-1) ?? '';
  return (lineEnds.length > 2 ? '\n\n' : '\n') + (indentation.length > 1 ? indentation : '');
};

const tidy = (text: string): string =>
  text
    .replace(/(?<=\S)\uFDD3(?=[^\s\p{P}])/gu, ' ')
    .replaceAll(wordBreak, '')
    // An item whose words are a heading has none in this text.
    .replace(/(?:-|-?\d{1,10}\.)\uFDD4[\s\uFDD0-\uFDD2]*$/, '')
    .replace(/[\s\uFDD0-\uFDD2\uFDD4]+/g, renderGap)
    .replace(/(?: \|)? $/, '')
    .trim();

interface OpenRow {
  /** Of its first part. */
  readonly start: number;
  /** Whether it may be a line: no heading stands in it, and no table. */
  isLine: boolean;
}

const breaks = /[\uFDD0\uFDD1\uFDD4]+/g;

const isLayout = (cell: string): boolean => cell.length > mostCellChars && cell.search(breaks) !== -1;

/** Whether a text is the numbers of lines that stand beside it, each one more than the one before. */
const isGutter = (text: string): boolean => {
  const numbers = text.trim().split(/\s+/);
  const first = Number(numbers[0]);
  return numbers.length > 1 && numbers.every((number, at) => /^\d{1,7}$/.test(number) && Number(number) === first + at);
};

/** What is written of a page since its last block, with marks for what parts its texts. */
interface Draft {
  readonly write: (part: string) => void;
  readonly openRow: () => void;
  /** Ends the row that was opened last. One of several cells is a line, whatever paragraphs its cells consist of. */
  readonly closeRow: () => void;
  /** Says that what stands in the open row is no line. */
  readonly breakRow: () => void;
  readonly openCode: () => void;
  /** Ends the code that was opened last, if it has not ended. In a row its lines stay lines, and mere numbers of lines go. */
  readonly closeCode: () => void;
  /** Whether it is time to take what was written. */
  readonly isLong: () => boolean;
  /** The text that was written, which begins anew. */
  readonly take: () => string;
}

/** Begins a text of which nothing is written yet. */
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
    // What follows the end of the last cell is counted as well.
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
  return { write, openRow, closeRow, breakRow, openCode, closeCode, take, isLong: () => chars > mostChars };
};

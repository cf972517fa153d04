import { medianOf } from '../../../../../shared/platform/median.ts';
import { openBlocks } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import type { SourceFile } from '../port.ts';
import { paragraphsOf } from '../text/read-plain-text.ts';
import { rowBlocks } from '../sheet-tables.ts';
import { maxColumns, type Row } from '../table-rows.ts';

// If two are equally regular, the one that is rarer within cells comes first: words and numbers contain commas.
const delimiters = ['\t', ';', ',', '|'] as const;
const sampleLines = 20;
const sampleChars = 200_000;
const maxRowChars = 16 * 1024 * 1024;
const segmentChars = 64 * 1024;
// A control character that separates cells and does not occur in texts: with it a line is one cell.
const unitSeparator = '\u001F';

/** Line that names the delimiter, for spreadsheet programs. */
export const separatorLine = /^"?sep=([^\n"])"?\n/i;

/** Returns a line without its quoted text, which may be a cell or speech. */
export const unquoted = (line: string): string => line.replace(/"(?:[^"]|"")*"/g, '');

/** Patterns of a delimiter within a cell: in a sentence or a number. */
const inCell: Readonly<Partial<Record<string, RegExp>>> = { ',': /,(?=\s)|(?<=\d),(?=\d)/g, ';': /;(?=\s)/g };

/** Whether a line contains the delimiter only as sentences do: before a space or within numbers. */
export const isSentence = (line: string, delimiter: string): boolean => {
  const inCells = inCell[delimiter];
  if (inCells === undefined || !line.trimEnd().includes(`${delimiter} `)) return false;
  return !`${line}\n`.replaceAll(inCells, '').includes(delimiter);
};

interface Usage {
  /** Whether the first line contains the delimiter, or the presumed header contains it between cells. */
  readonly mayPart: boolean;
  /** Number of lines that contain it as often as the median line. */
  readonly regularLines: number;
}

const usageOf = (delimiter: string, lines: readonly string[]): Usage => {
  const counts = lines.map((line) => line.split(delimiter).length - 1);
  const usual = medianOf(counts);
  const heading = lines[counts.findIndex((count) => (usual === 0 ? count > 0 : count === usual))] ?? delimiter;
  const inCells = inCell[delimiter];
  return {
    mayPart: (counts[0] ?? 0) > 0 || inCells === undefined || heading.replaceAll(inCells, '').includes(delimiter),
    regularLines: usual === 0 ? 0 : counts.filter((count) => count === usual).length,
  };
};

/**
 * Finds the delimiter: the one that the first line names, else the one that most of the first lines contain equally
 * often, else the comma. Null if it only occurs within the words of a single column.
 */
export const findDelimiter = (text: string): string | null => {
  const named = separatorLine.exec(text)?.[1];
  if (named !== undefined) return named;
  const lines = text
    .slice(0, sampleChars)
    .split('\n', sampleLines)
    .filter((line) => line.trim() !== '')
    .map(unquoted);
  const [best] = delimiters
    .map((delimiter) => ({ delimiter, ...usageOf(delimiter, lines) }))
    .filter(({ mayPart, regularLines, delimiter }) => mayPart && (regularLines > 0 || delimiter === ','))
    .toSorted((a, b) => b.regularLines - a.regularLines);
  return best?.delimiter ?? null;
};

const tabbed = /\.(?:tsv|tab)$|^text\/tab-separated-values\b/i;

/**
 * Chooses the delimiter. A file declared as tab-separated has tabs if it contains any, since no cell contains a tab.
 */
const delimiterOf = ({ filename, contentType }: SourceFile, text: string): string => {
  const isTabbed = tabbed.test(filename) || tabbed.test(contentType);
  return isTabbed && text.slice(0, sampleChars).includes('\t') ? '\t' : (findDelimiter(text) ?? unitSeparator);
};

type Parse = (text: string) => readonly (readonly string[])[];

const parserOf = async (delimiter: string): Promise<Parse> => {
  const { parse } = await import('csv-parse/sync');
  return (text) =>
    parse(text, {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      max_record_size: maxRowChars,
    });
};

const isOpenQuote = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'CSV_QUOTE_NOT_CLOSED';

/** Yields the rows of a text, segment by segment. A segment ends with a row, and only one is in memory at a time. */
const rowsOf = function* (segments: Iterable<string>, parse: Parse): Generator<readonly string[]> {
  const source = Iterator.from(segments);
  let text = '';
  let at = 0;
  let chars = segmentChars;
  for (let next = source.next(); next.done !== true || at < text.length;) {
    const lineEnd = text.indexOf('\n', at + chars);
    if (lineEnd === -1 && next.done !== true) {
      text = text.slice(at) + next.value;
      at = 0;
      next = source.next();
      continue;
    }
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    try {
      yield* parse(text.slice(at, end));
      at = end;
      chars = segmentChars;
    } catch (error) {
      // The segment may end within quotes.
      if (!isOpenQuote(error) || (next.done === true && end === text.length)) throw error;
      chars *= 2;
    }
  }
};

/** Removes the line that names the delimiter. */
const withoutSeparatorLine = function* (segments: Iterable<string>): Generator<string> {
  let isFirst = true;
  for (const segment of segments) {
    yield isFirst ? segment.replace(separatorLine, '') : segment;
    isFirst = false;
  }
};

/** Reads CSV and other delimited text. */
export const readTable: FormatReader = async (file, { segments }) => {
  const [head = ''] = segments();
  const parse = await parserOf(delimiterOf(file, head));
  let columns = 0;
  const rows = function* (): Generator<Row> {
    let number = 0;
    for (const cells of rowsOf(withoutSeparatorLine(segments()), parse)) {
      number += 1;
      columns = Math.max(columns, cells.length);
      yield { number, cells: cells.slice(0, maxColumns).entries() };
    }
  };
  try {
    const table = openBlocks(rowBlocks(rows(), { place: {} }));
    if (columns <= maxColumns) return table;
    return { ...table, notes: [`Columns beyond the first ${maxColumns} were left out.`] };
  } catch {
    // An unclosed quote, or a row that is too long: the text is read as prose.
    return openBlocks(paragraphsOf(withoutSeparatorLine(segments())));
  }
};

import { openBlocks } from './cut-units.ts';
import type { FormatReader } from './format.ts';
import { rowBlocks, type Row } from './table-rows.ts';
import { plainTextBlocks } from './read-plain-text.ts';

const delimiters = [',', ';', '\t', '|'] as const;
const sampleLines = 20;
const mostRowChars = 16 * 1024 * 1024;
// As many as a sheet has. A row of more is no table that anybody looks into.
const mostColumns = 16_384;

const countIn = (line: string, delimiter: string): number =>
  line.replace(/"(?:[^"]|"")*"/g, '').split(delimiter).length - 1;

/** The sign that parts the cells: the one that most of the first lines hold, and equally often. */
export const findDelimiter = (text: string): string | null => {
  const lines = text
    .slice(0, 200_000)
    .split('\n', sampleLines)
    .filter((line) => line.trim() !== '');
  const scores = delimiters.map((delimiter) => {
    const counts = lines.map((line) => countIn(line, delimiter));
    const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
    return { delimiter, score: usual === 0 ? 0 : counts.filter((count) => count === usual).length };
  });
  const [best] = scores.toSorted((a, b) => b.score - a.score);
  return best === undefined || best.score === 0 ? null : best.delimiter;
};

/** Reads CSV and its relatives, whatever sign parts their cells. */
export const readTable: FormatReader = async (_, { text }) => {
  const { parse } = await import('csv-parse/sync');
  try {
    const records: readonly (readonly string[])[] = parse(text, {
      delimiter: findDelimiter(text) ?? ',',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      max_record_size: mostRowChars,
    });
    const rows: readonly Row[] = records.map((cells, index) => ({
      number: index + 1,
      cells: new Map(cells.slice(0, mostColumns).entries()),
    }));
    const file = openBlocks(rowBlocks(rows, {}));
    if (records.every(({ length }) => length <= mostColumns)) return file;
    return { ...file, notes: [`Columns beyond the first ${mostColumns} were left out.`] };
  } catch {
    // A quote that is never closed, or a row without end: the words are there all the same.
    return openBlocks(await plainTextBlocks(text));
  }
};

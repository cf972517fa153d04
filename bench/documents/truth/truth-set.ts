import type { Section } from '#documents';

/** Reads a file to its sections. */
export type ReadFile = (filename: string, bytes: Uint8Array) => Promise<readonly Section[]>;

/** Table of figures to print. */
export interface TruthResult {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** Files with the lowest figures. */
  readonly worst: readonly string[];
}

/** Public files with what must be found in them. */
export interface TruthSet {
  /** Name of the repository's folder. */
  readonly folder: string;
  readonly measure: (folder: string, read: ReadFile, python: string) => Promise<TruthResult>;
}

/** Returns how many of the expected items are among the found ones, each as often as it was found. */
export const countShared = (expected: readonly string[], found: readonly string[]): number => {
  const left = new Map<string, number>();
  for (const one of found) left.set(one, (left.get(one) ?? 0) + 1);
  return expected.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count > 0;
  }).length;
};

const named = /^([^\n]{1,400}?): (.+)$/;

/** Rows of a table whose head is too long to repeat: each is a paragraph of lines `column: value`. */
const namedRows = (paragraphs: readonly string[]): readonly (readonly string[])[] => {
  const rows = paragraphs.map((paragraph) => {
    const lines = paragraph.split('\n').map((line) => named.exec(line));
    const values = lines.map((line, at) => line?.[2] ?? paragraph.split('\n')[at] ?? '');
    return { names: lines.flatMap((line) => line?.[1] ?? []), values };
  });
  const known = rows.slice(1).filter((row, at) => row.names.length > 1 && row.names[0] === rows[at]?.names[0]);
  const first = rows.find(({ names }) => names[0] === known[0]?.names[0]);
  return known.length === 0 || first === undefined ? [] : [first, ...known].map(({ values }) => values);
};

const cellsOf = (line: string): readonly string[] => line.split('|').map((cell) => cell.trim());

const spannedTables = ({ text, tables = [] }: Section): readonly (readonly (readonly string[])[])[] =>
  tables.map(({ start, rows, end, head }) => {
    // The head of a table that goes on is in a section before.
    const before = start === rows ? `${head}\n` : '';
    return `${before}${text.slice(start, end)}`.trim().split('\n').map(cellsOf);
  });

const minRows = 2;

/** Tables without a head, whose extent the section does not state: paragraphs of rows. */
const tablesWithoutHead = ({ text, tables = [] }: Section): readonly (readonly (readonly string[])[])[] => {
  const rest = [...tables].toReversed().reduce((kept, { start, end }) => kept.slice(0, start) + kept.slice(end), text);
  return rest
    .split('\n\n')
    .map((paragraph) => paragraph.split('\n'))
    .filter((lines) => lines.filter((line) => line.includes('|')).length >= minRows)
    .map((lines) => lines.map(cellsOf));
};

/** Rows of the tables in a section, by their lines. */
export const tablesOf = (section: Section): readonly (readonly (readonly string[])[])[] => {
  const inNames = namedRows(section.text.split('\n\n'));
  return [...spannedTables(section), ...tablesWithoutHead(section), ...(inNames.length > 1 ? [inNames] : [])];
};

/** A row of a table with the cells that hold anything, by column (0-based). */
export interface FilledRow {
  /** Where in the source, 1-based. */
  readonly number: number;
  readonly cells: ReadonlyMap<number, string>;
}

/** What a cell holds, as far as that tells the name of a column from a value; a period is a year, a date or a time. */
type CellKind = 'word' | 'number' | 'period' | 'record';

const year = String.raw`(?:1[5-9]|2[01])\d\d`;
const period = new RegExp(
  [
    String.raw`^(?:${year}(?:[-/](?:\d\d|${year}))?`,
    String.raw`\d{1,2}[-/]${year}`,
    String.raw`\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[T ]\d.*)?`,
    String.raw`\d{1,2}:\d\d(?::\d\d)?)$`,
  ].join('|'),
);
const number = /^(?=.*\d)[\s\d.,:%\p{Sc}+\-/'’()]*(?:e[+-]?\d+)?$/iu;

const kindOf = (cell: string): CellKind => {
  if (/\S@\S|^https?:/.test(cell)) return 'record';
  if (period.test(cell)) return 'period';
  return number.test(cell) ? 'number' : 'word';
};

/** Whether a cell says of what kind its column is; what stands in for a missing value doesn't. */
const isTelling = (cell: string): boolean => /[\p{L}\d]/u.test(cell) && !/^(?:n\/?a|nan|nil|none|null)$/i.test(cell);

const mostFrequent = (kinds: readonly CellKind[]): CellKind | undefined =>
  [...Map.groupBy(kinds, (kind) => kind)].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0];

/**
 * Whether a row names the columns of those below it: words in most of its cells, and years or dates where the cells below
 * are numbers. A row of data has numbers over numbers, and dates over dates.
 */
const namesColumns = (row: FilledRow, below: readonly FilledRow[]): boolean => {
  const columns = Map.groupBy(row.cells.keys(), (column) => kindOf(row.cells.get(column) ?? ''));
  const kindBelow = (kind: CellKind): CellKind | undefined =>
    mostFrequent(
      (columns.get(kind) ?? [])
        .map((column) =>
          below.map(({ cells }) => cells.get(column)).find((cell) => cell !== undefined && isTelling(cell)),
        )
        .flatMap((cell) => (cell === undefined ? [] : [kindOf(cell)])),
    );
  const countOf = (kind: CellKind): number => columns.get(kind)?.length ?? 0;
  const underPeriods = kindBelow('period');
  if (countOf('record') > 0 || kindBelow('number') === 'number' || underPeriods === 'period') return false;
  const names = countOf('word') + (underPeriods === 'word' ? 0 : countOf('period'));
  return names * 2 > row.cells.size;
};

const lastColumn = ({ cells }: FilledRow): number => Math.max(...cells.keys());

/**
 * The row that names the columns, among the first rows of a table. Only the first that is as wide as the table can be it,
 * whose cells are more than half of the widest row's and which ends no earlier than rows usually do: what stands above is
 * about the table, what stands below is data, however wordy.
 */
export const findHeader = (first: readonly FilledRow[]): FilledRow | undefined => {
  const widest = Math.max(0, ...first.map(({ cells }) => cells.size));
  const ends = first.map(lastColumn).toSorted((one, other) => one - other);
  const usualEnd = ends[Math.floor(ends.length / 2)] ?? 0;
  const at = first.findIndex(
    (row) => row.cells.size >= 2 && row.cells.size * 2 > widest && lastColumn(row) >= usualEnd,
  );
  const row = first[at];
  const below = first.slice(at + 1);
  return row !== undefined && below.length > 0 && namesColumns(row, below) ? row : undefined;
};

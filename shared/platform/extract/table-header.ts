/** Row of a table with its non-empty cells by column (0-based). */
export interface FilledRow {
  /** Row number in the source, 1-based. */
  readonly number: number;
  readonly cells: ReadonlyMap<number, string>;
}

/** Kind of a cell, which distinguishes column names from values. `date` includes times and ranges of years. */
type CellKind = 'word' | 'number' | 'year' | 'date' | 'record';

const year = String.raw`(?:1[5-9]|2[01])\d\d`;
const date = new RegExp(
  [
    String.raw`^(?:${year}[-/](?:\d\d|${year})`,
    String.raw`\d{1,2}[-/]${year}`,
    String.raw`\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[T ]\d.*)?`,
    String.raw`\d{1,2}:\d\d(?::\d\d)?)$`,
  ].join('|'),
);
const bareYear = new RegExp(`^${year}$`);
const number = /^(?=.*\d)[\s\d.,:%\p{Sc}+\-/'’()]*(?:(?<=[\d.])e[+-]?\d+)?$/iu;

const kindOf = (cell: string): CellKind => {
  if (/\S@\S|^https?:/.test(cell)) return 'record';
  if (date.test(cell)) return 'date';
  if (bareYear.test(cell)) return 'year';
  return number.test(cell) ? 'number' : 'word';
};

/** Whether a cell indicates the kind of its column. A placeholder for a missing value does not. */
const isInformative = (cell: string): boolean =>
  /[\p{L}\d]/u.test(cell) && !/^(?:n\/?a|nan|nil|none|null)$/i.test(cell);

interface Column {
  readonly at: number;
  readonly name: string;
  readonly kind: CellKind;
  /** Kind of the first informative value. */
  readonly over: CellKind | undefined;
  /** Whether the name also occurs as a value. */
  readonly recurs: boolean;
}

const maxYears = 100;

/** Whether the numbers of a column are years: nearly all look like years, within one century. */
const areYears = (cells: readonly string[]): boolean => {
  const kinds = Map.groupBy(cells, kindOf);
  const years = (kinds.get('year') ?? []).map(Number);
  const others = kinds.get('number')?.length ?? 0;
  return years.length > 3 * others && Math.max(...years) - Math.min(...years) <= maxYears;
};

const columnsOf = (row: FilledRow, below: readonly FilledRow[]): readonly Column[] =>
  Array.from(row.cells, ([at, name]) => {
    const values = below.flatMap(({ cells }) => cells.get(at) ?? []).filter(isInformative);
    const [over] = values.map(kindOf);
    const isCount = over === 'year' && !areYears([name, ...values]);
    return { at, name, kind: kindOf(name), over: isCount ? 'number' : over, recurs: values.includes(name) };
  });

const isOverPeriod = ({ over }: Column): boolean => over === 'year' || over === 'date';

/** Whether years are consecutive, ascending or descending. */
const areInSequence = (years: readonly string[]): boolean => {
  const steps = years.slice(1).map((next, before) => Number(next) - Number(years[before]));
  return steps.length > 1 && Math.abs(steps[0] ?? 0) === 1 && steps.every((step) => step === steps[0]);
};

/**
 * Whether years are column names. Most are above other numbers, or they are consecutive and the values below are not.
 */
const nameColumns = (years: readonly Column[], next: FilledRow | undefined): boolean => {
  if (years.filter(isOverPeriod).length * 2 < years.length) return true;
  const below = years.map(({ at }) => next?.cells.get(at) ?? '');
  return areInSequence(years.map(({ name }) => name)) && !areInSequence(below);
};

const isProof = ({ name, kind, over }: Column): boolean =>
  kind === 'word' && isInformative(name) && !/\d/.test(name) && over !== undefined && over !== 'word';

// One number above a number weighs as much for data as this many words above words do for names.
const wordsToNumber = 4;

/**
 * Certainty that a row names the columns of the rows below: 0 none, 1 plausible, 2 since words are above numbers or
 * dates. Names are words, or years or dates above other numbers, in most cells. Addresses, and dates above dates, are
 * data. So are numbers above numbers and years above years. Exceptions: as many words above numbers, or far more words
 * above words, if no word is also a value.
 */
const certaintyOf = (row: FilledRow, below: readonly FilledRow[]): 0 | 1 | 2 => {
  const columns = columnsOf(row, below);
  const isRecord = columns.some(
    (column) => column.kind === 'record' || (column.kind === 'date' && isOverPeriod(column)),
  );
  if (isRecord || below.length === 0) return 0;
  const ofKind = (wanted: CellKind): readonly Column[] => columns.filter(({ kind }) => kind === wanted);
  const [words, years] = [ofKind('word'), ofKind('year')];
  const areNames = nameColumns(years, below[0]);
  const periods = [...(areNames ? years : []), ...ofKind('date')].filter(({ over }) => over !== 'word');
  if ((words.length + periods.length) * 2 <= columns.length) return 0;
  const counts = ofKind('number').filter(({ over }) => over === 'number' || over === 'year');
  const data = counts.length + (areNames ? 0 : years.filter(isOverPeriod).length);
  const proofs = words.filter(isProof).length;
  if (proofs > 0 && proofs >= data) return 2;
  const outweigh = words.length >= wordsToNumber * data && !words.some(({ recurs }) => recurs);
  return data === 0 || outweigh ? 1 : 0;
};

const lastColumn = ({ cells }: FilledRow): number => Math.max(...cells.keys());

/** Whether a row that ends early describes the table below: its cells are labels, or an empty line follows. */
const isAbout = (rows: readonly FilledRow[]): boolean => {
  const [row, next] = [rows[0], rows.at(-1)];
  if (row === undefined || next === undefined || row === next) return false;
  return next.number - row.number >= rows.length || row.cells.values().some((cell) => cell.endsWith(':'));
};

/**
 * Finds the row that names the columns, among the first rows of a table. It is the first row with more than half of the
 * widest row's cells: rows above describe the table, rows below are data. If it ends earlier than most rows, it may
 * also describe the table. Then the first full row is the header, if it names the columns with more certainty.
 */
export const findHeader = (first: readonly FilledRow[]): FilledRow | undefined => {
  const widest = Math.max(0, ...first.map(({ cells }) => cells.size));
  const ends = first.map(lastColumn).toSorted((one, other) => one - other);
  const usualEnd = ends[Math.floor(ends.length / 2)] ?? 0;
  const isWide = ({ cells }: FilledRow): boolean => cells.size >= 2 && cells.size * 2 > widest;
  const early = first.findIndex(isWide);
  const usual = first.findIndex((row) => isWide(row) && lastColumn(row) >= usualEnd);
  const candidates = isAbout(first.slice(early, usual + 1)) ? [usual] : [early, usual];
  const [best] = candidates
    .flatMap((at) => first.slice(at, at + 1).map((row) => ({ row, certainty: certaintyOf(row, first.slice(at + 1)) })))
    .toSorted((one, other) => other.certainty - one.certainty);
  return best === undefined || best.certainty === 0 ? undefined : best.row;
};

const maxHeadRows = 4;

/** Counts the first rows of a table that are its head: those up to the row that names the columns. 0: it has no head. */
export const countHeadRows = (rows: readonly (readonly string[])[]): number => {
  const first = rows.slice(0, 10).map((cells, at) => ({
    number: at + 1,
    cells: new Map(cells.map((cell, column) => [column, cell] as const).filter(([, cell]) => cell !== '')),
  }));
  const header = findHeader(first);
  return header === undefined || header.number > maxHeadRows ? 0 : header.number;
};

/** Names of the columns under a head of several lines: `2024 Cost` where 2024 is above Cost. */
export const columnNames = (head: readonly (readonly string[])[]): readonly string[] =>
  Array.from({ length: Math.max(0, ...head.map(({ length }) => length)) }, (_, column) =>
    head
      .map((row) => row[column] ?? '')
      .filter((name, at, names) => name !== '' && name !== names[at - 1])
      .join(' '),
  );

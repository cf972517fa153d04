/** A row of a table with the cells that hold anything, by column (0-based). */
export interface FilledRow {
  /** Where in the source, 1-based. */
  readonly number: number;
  readonly cells: ReadonlyMap<number, string>;
}

/** What a cell holds, as far as that tells the name of a column from a value; a date is also a time, or two years. */
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

/** Whether a cell says of what kind its column is; what stands in for a missing value doesn't. */
const isTelling = (cell: string): boolean => /[\p{L}\d]/u.test(cell) && !/^(?:n\/?a|nan|nil|none|null)$/i.test(cell);

interface Column {
  readonly at: number;
  readonly name: string;
  readonly kind: CellKind;
  /** The kind of the first value that tells it. */
  readonly over: CellKind | undefined;
  /** Whether the name is a value as well. */
  readonly recurs: boolean;
}

const mostYears = 100;

/** Whether the numbers of a column are years: nearly all look like one, and they lie within a century. */
const areYears = (cells: readonly string[]): boolean => {
  const kinds = Map.groupBy(cells, kindOf);
  const years = (kinds.get('year') ?? []).map(Number);
  const others = kinds.get('number')?.length ?? 0;
  return years.length > 3 * others && Math.max(...years) - Math.min(...years) <= mostYears;
};

const columnsOf = (row: FilledRow, below: readonly FilledRow[]): readonly Column[] =>
  Array.from(row.cells, ([at, name]) => {
    const values = below.flatMap(({ cells }) => cells.get(at) ?? []).filter(isTelling);
    const [over] = values.map(kindOf);
    const isCount = over === 'year' && !areYears([name, ...values]);
    return { at, name, kind: kindOf(name), over: isCount ? 'number' : over, recurs: values.includes(name) };
  });

const isOverPeriod = ({ over }: Column): boolean => over === 'year' || over === 'date';

/** Whether years follow one another, up or down. */
const areInSequence = (years: readonly string[]): boolean => {
  const steps = years.slice(1).map((next, before) => Number(next) - Number(years[before]));
  return steps.length > 1 && Math.abs(steps[0] ?? 0) === 1 && steps.every((step) => step === steps[0]);
};

/** Whether years are names: most stand over other numbers, or they follow one another and those below them don't. */
const nameColumns = (years: readonly Column[], next: FilledRow | undefined): boolean => {
  if (years.filter(isOverPeriod).length * 2 < years.length) return true;
  const below = years.map(({ at }) => next?.cells.get(at) ?? '');
  return areInSequence(years.map(({ name }) => name)) && !areInSequence(below);
};

const isProof = ({ name, kind, over }: Column): boolean =>
  kind === 'word' && isTelling(name) && !/\d/.test(name) && over !== undefined && over !== 'word';

// A number over a number is as much of a sign of data as this many words over words are of names.
const wordsToNumber = 4;

/**
 * How surely a row names the columns of those below it: not at all (0), as far as can be seen (1), or because words stand
 * over numbers or dates (2). Names are words, and years or dates over other numbers; most cells are to be such. Addresses and
 * dates over dates are data. So are numbers over numbers and years over years, unless as many words stand over numbers, or
 * far more over words and none of them is a value as well.
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

/** Whether a row that ends early is about the table below it: it labels its cells, or an empty line follows. */
const isAbout = (rows: readonly FilledRow[]): boolean => {
  const [row, next] = [rows[0], rows.at(-1)];
  if (row === undefined || next === undefined || row === next) return false;
  return next.number - row.number >= rows.length || row.cells.values().some((cell) => cell.endsWith(':'));
};

/**
 * The row that names the columns, among the first rows of a table. It is the first whose cells are more than half of the
 * widest row's: what stands above is about the table, what stands below is data, however wordy. Where it ends earlier than
 * rows usually do it may be about the table too; then the first that doesn't is it, if that names the columns more surely.
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

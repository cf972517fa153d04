/** Row of a table with its non-empty cells by column (0-based). */
export interface FilledRow {
  /** Row number in the source, 1-based. */
  readonly number: number;
  /** A merged cell has its text in every column that it covers. */
  readonly cells: ReadonlyMap<number, string>;
}

/** Head of a table: the rows that name its columns. */
export interface Head {
  /** Positions of its first and its last row among the searched rows. */
  readonly first: number;
  readonly last: number;
  /** Names by column: `2024 Cost` where 2024 is above Cost. */
  readonly names: ReadonlyMap<number, string>;
  /** Whether words are above numbers or dates, and no cell of the head looks like data. */
  readonly isCertain: boolean;
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

/** Number of first rows that are compared to find the head. Rows that describe the table may come before it. */
export const headSearch = 100;

// Rows below are data of one kind.
const compared = 10;

// With fewer rows, the widest may be the only whole one.
const severalRows = 4;

/** Number of cells that at least two rows have, if there are several. One row may be wider by mistake. */
const usualWidth = (rows: readonly FilledRow[]): number => {
  const sizes = rows.map(({ cells }) => cells.size).toSorted((one, other) => other - one);
  return sizes[rows.length >= severalRows ? 1 : 0] ?? 0;
};

const isName = (cell: string): boolean => !['number', 'record'].includes(kindOf(cell)) && !cell.endsWith(':');

const ascending = (columns: Iterable<number>): readonly number[] => [...columns].toSorted((one, other) => one - other);

/** Columns under each name of a line that groups columns. A name extends over empty cells to its right. */
const groupsUnder = (upper: FilledRow, lower: FilledRow): readonly (readonly number[])[] => {
  const groups: number[][] = [];
  let open: string | undefined;
  for (const column of ascending(new Set([...upper.cells.keys(), ...lower.cells.keys()]))) {
    const name = upper.cells.get(column);
    if (name !== undefined && name !== open) groups.push([]);
    if (name !== undefined) open = name;
    if (open !== undefined && lower.cells.has(column)) groups.at(-1)?.push(column);
  }
  return groups.filter(({ length }) => length > 0);
};

/**
 * Whether a line groups the columns of the line below, as years above `Revenue` and `Cost`. Its names extend over
 * several columns. Besides, the names below recur under each group. Or the column of the row labels has no cell in one
 * of the lines, or the same merged cell in both.
 */
const isGroupLine = (upper: FilledRow, lower: FilledRow): boolean => {
  if (![...upper.cells.values(), ...lower.cells.values()].every(isName)) return false;
  const groups = groupsUnder(upper, lower);
  const wide = groups
    .map((columns) =>
      columns.map((at) => lower.cells.get(at) ?? '').filter((name, at, names) => name !== names[at - 1]),
    )
    .filter(({ length }) => length > 1);
  if (wide.length === 0 || wide.some((names) => new Set(names).size < names.length)) return false;
  if (wide.length > 1 && new Set(wide.map((group) => group.join('\n'))).size === 1) return true;
  const label = Math.min(...upper.cells.keys(), ...lower.cells.keys());
  const [above, below] = [upper.cells.get(label), lower.cells.get(label)];
  const isNamedOnce = above === undefined ? groups.every(({ length }) => length > 1) : below === undefined;
  return isNamedOnce || above === below;
};

/**
 * Finds the row that names the columns, among the first rows of a table. It is the first row with more than half of the
 * widest row's cells: rows above describe the table, rows below are data. If it ends earlier than most rows, it may
 * also describe the table. Then the first full row is the header, if it names the columns with more certainty.
 */
const findNames = (first: readonly FilledRow[]): { readonly at: number; readonly certainty: 0 | 1 | 2 } => {
  const widest = usualWidth(first);
  const isWide = ({ cells }: FilledRow): boolean => cells.size >= 2 && cells.size * 2 > widest;
  const early = first.findIndex(isWide);
  const near = first.slice(Math.max(0, early), Math.max(0, early) + compared);
  const ends = near.map(lastColumn).toSorted((one, other) => one - other);
  const usualEnd = ends[Math.floor(ends.length / 2)] ?? 0;
  const usual = first.findIndex((row) => isWide(row) && lastColumn(row) >= usualEnd);
  const candidates = isAbout(first.slice(early, usual + 1)) ? [usual] : [early, usual];
  const below = (at: number): readonly number[] => {
    const [upper, lower] = [first[at], first[at + 1]];
    return upper !== undefined && lower !== undefined && isGroupLine(upper, lower) ? [at, ...below(at + 1)] : [at];
  };
  const [best] = candidates
    .filter((at) => at !== -1)
    .flatMap(below)
    .flatMap((at) => first.slice(at, at + 1).map((row) => ({ at, row })))
    .map(({ at, row }) => ({ at, certainty: certaintyOf(row, first.slice(at + 1, at + 1 + compared)) }))
    .toSorted((one, other) => other.certainty - one.certainty);
  return best ?? { at: -1, certainty: 0 };
};

const unit =
  /^(?:[([].{1,12}[)\]]|[%‰°€$£¥-]|°[CF]|k?[€$£]|EUR|USD|GBP|CHF|[kmc]?g|t|[kcm]?m[23²³]?|ha|[mc]?l|h|min|s|ms|k?Wh?|MWh?|GWh?|TWh?|Mio\.?|Stk?\.?|pcs?\.?|no\.?)$/iu;

/** Whether a line states the units of the columns above. */
const isUnitLine = ({ cells }: FilledRow, { cells: names }: FilledRow): boolean => {
  const units = [...cells.values()].filter((cell) => unit.test(cell)).length;
  return units > 0 && units === cells.size && cells.keys().every((column) => names.has(column));
};

const maxHeadRows = 4;

/** Names by column under a head of several lines. */
const joinNames = (lines: readonly FilledRow[]): ReadonlyMap<number, string> => {
  const names = new Map<number, string[]>();
  for (const [at, line] of lines.entries()) {
    const lower = lines[at + 1];
    const isGroup = lower !== undefined && isGroupLine(line, lower);
    const filled = new Map(line.cells);
    for (const columns of isGroup ? groupsUnder(line, lower) : []) {
      const name = line.cells.get(columns.find((column) => line.cells.has(column)) ?? -1);
      if (name === undefined || columns.length < 2) continue;
      for (const column of columns) filled.set(column, name);
    }
    for (const [column, name] of filled) {
      const above = names.get(column);
      if (above === undefined) names.set(column, [name]);
      else if (above.at(-1) !== name) above.push(name);
    }
  }
  return new Map(ascending(names.keys()).map((column) => [column, (names.get(column) ?? []).join(' ')]));
};

/** Head that consists of these rows. */
export const headOf = (rows: readonly FilledRow[], first: number, last: number): Head => {
  const lines = rows.slice(first, last + 1);
  return { first, last, names: joinNames(lines), isCertain: lines.every(({ cells }) => cells.values().every(isName)) };
};

/**
 * Finds the head among the first rows of a table: the row that names the columns, lines above it that group columns, and
 * a line below it with their units.
 */
export const findHead = (rows: readonly FilledRow[]): Head | undefined => {
  const { at, certainty } = findNames(rows);
  const names = rows[at];
  if (names === undefined || certainty === 0) return undefined;
  const rowAt = (index: number): FilledRow => rows[index] ?? { number: 0, cells: new Map() };
  const areAdjacent = (upper: number): boolean => rowAt(upper + 1).number === rowAt(upper).number + 1;
  let [first, last] = [at, at];
  const isFull = (): boolean => last - first + 1 >= maxHeadRows;
  while (first > 0 && !isFull() && areAdjacent(first - 1) && isGroupLine(rowAt(first - 1), rowAt(first))) first -= 1;
  while (last + 2 < rows.length && !isFull() && areAdjacent(last) && isGroupLine(rowAt(last), rowAt(last + 1))) {
    last += 1;
  }
  if (last + 2 < rows.length && areAdjacent(last) && isUnitLine(rowAt(last + 1), rowAt(last))) last += 1;
  const head = headOf(rows, first, last);
  return { ...head, isCertain: head.isCertain && (certainty === 2 || last > at) };
};

/** Whether all cells of a column are of one kind that is not words. */
export const isNumeric = (cells: readonly string[]): boolean => {
  const kinds = new Set(cells.filter(isInformative).map(kindOf));
  return kinds.size > 0 && !kinds.has('word') && !kinds.has('record');
};

/** Counts the first rows of a table that are its head: those up to the row that names the columns. 0: it has no head. */
export const countHeadRows = (rows: readonly (readonly string[])[]): number => {
  const first = rows.slice(0, compared + maxHeadRows).map((cells, at) => ({
    number: at + 1,
    cells: new Map(cells.map((cell, column) => [column, cell] as const).filter(([, cell]) => cell !== '')),
  }));
  const rowsToNames = (findHead(first)?.last ?? -1) + 1;
  return rowsToNames > maxHeadRows ? 0 : rowsToNames;
};

/** Names of the columns under a head of several lines: `2024 Cost` where 2024 is above Cost. */
export const columnNames = (head: readonly (readonly string[])[]): readonly string[] =>
  Array.from({ length: Math.max(0, ...head.map(({ length }) => length)) }, (_, column) =>
    head
      .map((row) => row[column] ?? '')
      .filter((name, at, names) => name !== '' && name !== names[at - 1])
      .join(' '),
  );

import { oneLine } from '../../../../shared/kernel/text.ts';
import type { Block } from './cut-units.ts';
import { findHead, headOf, headSearch, isNumeric, type FilledRow, type Head } from './table-header.ts';
import {
  ascending,
  keyOf,
  placesOf,
  rowLine,
  RowWindow,
  toSheetRow,
  withNames,
  withoutEmptyCells,
  withPlaces,
  type CellComment,
  type Row,
  type SheetRow,
  type TableContext,
} from './table-rows.ts';

// Rows of tables beside each other that are in memory at once.
const maxParallelRows = 10_000;

const maxTitleChars = 200;

/** Table that is being read. Without names it has no head. */
interface OpenTable {
  readonly names: ReadonlyMap<number, string> | undefined;
  readonly places: ReadonlySet<number>;
  /** Columns of numbers and dates. */
  readonly numeric: ReadonlySet<number>;
  readonly from: number;
}

/** Whether the only cell of a row is a title, a remark or the name of a group: in the first column, or merged from it. */
const isLone = (row: SheetRow, from: number): boolean => row.size <= 1 && row.from <= from;

/**
 * Rows from a position on that may be one table: up to an empty line, or a row that has only one cell in the first
 * column. A row alone goes on after these, since it may be the head.
 */
const tableAhead = (window: RowWindow): readonly SheetRow[] => {
  const rows: SheetRow[] = [];
  const first = window.peek();
  if (first === undefined) return rows;
  for (let ahead = 0; rows.length < headSearch; ahead += 1) {
    const row = window.peek(ahead);
    const before = window.peek(ahead - 1) ?? row;
    if (row === undefined || (rows.length > 1 && row.number > (before?.number ?? 0) + 1)) break;
    if (!isLone(row, first.from)) rows.push(row);
    else if (rows.length > 1 || ahead > headSearch) break;
  }
  return rows;
};

const columnOf = (rows: readonly FilledRow[], column: number): readonly string[] =>
  rows.flatMap(({ cells }) => cells.get(column) ?? []);

const openTable = (rows: readonly SheetRow[], head: Head | undefined): OpenTable => {
  const places = placesOf(rows);
  const below = rows.slice((head?.last ?? -1) + 1);
  return {
    names: head?.names,
    places,
    numeric: new Set([...places].filter((column) => isNumeric(columnOf(below, column)))),
    from: Math.min(...rows.map(({ from }) => from)),
  };
};

const hasColons = (rows: readonly SheetRow[]): boolean => {
  const labels = rows.slice(0, 4).flatMap(({ from, cells }) => cells.get(from) ?? []);
  return labels.filter((label) => label.endsWith(':')).length * 2 > labels.length;
};

/** Whether rows of two cells are labels with their values, as above an invoice, rather than a table with a head. */
const areLabels = (rows: readonly SheetRow[], head: Head): boolean => {
  if (rows.some(({ size }) => size > 2)) return false;
  if (hasColons(rows)) return true;
  const below = rows.slice(head.last + 1);
  return !(head.isCertain && below.some(({ to }) => isNumeric(columnOf(below, to))));
};

/** Whether a wider row follows within the rows that are searched for a head. */
const isWiderAhead = (window: RowWindow, size: number): boolean => {
  for (let ahead = 0; ahead < headSearch; ahead += 1) {
    const row = window.peek(ahead);
    if (row === undefined) return false;
    if (row.size > size) return true;
  }
  return false;
};

/**
 * Whether rows after an empty line or a title begin another table. Their head has the names of the open table again, or
 * names above numbers in all columns. A head of mere words must differ from the open table in its columns.
 */
const isOtherTable = (open: OpenTable, rows: readonly SheetRow[], head: Head): boolean => {
  if (open.names === undefined) return true;
  const join = (names: ReadonlyMap<number, string>): string => [...names.values()].join('\n');
  if (join(head.names) === join(open.names)) return true;
  const below = rows.slice(head.last + 1);
  if (head.isCertain) return Math.max(...below.map(({ cells }) => cells.size)) <= head.names.size;
  const { places, numeric, from } = openTable(rows, head);
  const isFull = places.size === Math.max(...places) - from + 1 && head.names.size === places.size;
  const recurs = [...head.names].some(([column, name]) => columnOf(below, column).includes(name));
  if (!isFull || recurs) return false;
  const isMoved = from !== open.from || Math.max(...places) !== Math.max(...open.places);
  const isChanged = [...open.numeric].some((column) => places.has(column) && !numeric.has(column));
  return (isMoved || isChanged) && below.length > (places.size > 2 ? 0 : 2);
};

/** Head of the rows ahead, unless they are labels with values. */
const headAhead = (window: RowWindow, rows: readonly SheetRow[]): Head | undefined => {
  const head = findHead(rows);
  if (head === undefined || !areLabels(rows, head)) return head;
  return hasColons(rows) || isWiderAhead(window, 2) ? undefined : head;
};

const within = (row: SheetRow, from: number, to: number): SheetRow | undefined => {
  const isWithin = (column: number): boolean => column >= from && column <= to;
  const cells = new Map([...row.cells].filter(([column]) => isWithin(column)));
  const comments = row.comments.filter(({ column }) => isWithin(column));
  return cells.size + comments.length === 0 ? undefined : toSheetRow(row.number, cells, row.merged, comments);
};

interface Columns {
  readonly from: number;
  readonly to: number;
}

/** Ranges of columns with cells between empty columns. */
const filledRanges = (rows: readonly SheetRow[]): readonly Columns[] => {
  const filled = rows
    .filter(({ size }) => size > 1)
    .flatMap(({ cells, merged }) => [...cells.keys()].filter((column) => (merged.get(column) ?? column) === column));
  const ranges: { from: number; to: number }[] = [];
  for (const column of ascending(new Set(filled))) {
    const range = ranges.at(-1);
    if (range !== undefined && column === range.to + 1) range.to = column;
    else ranges.push({ from: column, to: column });
  }
  return ranges;
};

/** Whether columns are a table of their own, which begins with different words under a certain head. */
const isTableApart = (rows: readonly SheetRow[], { from, to }: Columns): boolean => {
  const own = rows.flatMap((row) => within(row, from, to) ?? []);
  const begin = own.findIndex(({ size }) => size > 1);
  const table = own.slice(begin);
  const head = begin === -1 ? undefined : findHead(table);
  if (head?.isCertain !== true) return false;
  const labels = columnOf(table.slice(head.last + 1), from);
  return labels.length > 0 && new Set(labels).size === labels.length && !isNumeric(labels);
};

/** Tables beside each other in the rows up to the next empty line: their columns, if there are several. */
const tablesBeside = (window: RowWindow): readonly Columns[] => {
  const rows: SheetRow[] = [];
  for (let row = window.peek(); row !== undefined && rows.length < headSearch; row = window.peek(rows.length)) {
    if (row.number > (rows.at(-1)?.number ?? row.number) + 1) break;
    rows.push(row);
  }
  const ranges = filledRanges(rows);
  const areTables = ranges.length > 1 && ranges.every(({ from, to }) => to > from);
  return areTables && ranges.every((range) => isTableApart(rows, range)) ? ranges : [];
};

const commentLine = ({ column, cell, text }: CellComment, names?: ReadonlyMap<number, string>): string => {
  const name = names?.get(column);
  return `Comment on ${name === undefined ? cell : `${name} (${cell})`}: ${oneLine(text)}`;
};

const toBlock = (
  text: string,
  { place }: TableContext,
  rows: readonly SheetRow[],
  names?: ReadonlyMap<number, string>,
): Block => {
  const comments = rows.flatMap((row) => row.comments.map((comment) => commentLine(comment, names)));
  return {
    text: comments.length === 0 ? text : [text, ...comments].filter((line) => line !== '').join('\n'),
    level: null,
    place,
    bounds: { first: { row_start: rows[0]?.number ?? 0 }, last: { row_end: rows.at(-1)?.number ?? 0 } },
  };
};

const lineOf = ({ cells, merged }: SheetRow): string =>
  rowLine([...cells].flatMap(([column, cell]) => ((merged.get(column) ?? column) === column ? [cell] : [])));

/** Rows of one cell in the first column before a table: its title, remarks, or the name of a group. */
interface Lead {
  /** The last of them. Those before have been read. */
  readonly rows: readonly SheetRow[];
  readonly count: number;
  /** Whether an empty line is above. */
  readonly isSeparate: boolean;
}

// A table has at most a title and a subtitle. More lines above it are remarks.
const maxLeadRows = 2;

/** Reads tables below each other. Those beside each other are read one after the other. */
class TablesReader {
  readonly #window: RowWindow;
  readonly #context: TableContext;
  #open: OpenTable | undefined;
  #isTitled = false;
  #last = 0;

  constructor(source: Iterable<SheetRow>, context: TableContext) {
    this.#window = new RowWindow(source);
    this.#context = context;
  }

  *blocks(): Generator<Block> {
    const isStated = this.#context.headRows !== undefined;
    while (this.#window.peek() !== undefined) {
      const lead = yield* this.#lead(isStated);
      const beside = isStated ? [] : tablesBeside(this.#window);
      if (beside.length > 0) yield* this.#parallel(lead, beside);
      else {
        yield* this.#begin(lead);
        if (this.#open !== undefined) yield* this.#rows(this.#open);
      }
    }
  }

  #isGap(): boolean {
    return (this.#window.peek()?.number ?? 0) > this.#last + 1;
  }

  #take(): readonly SheetRow[] {
    const row = this.#window.take();
    this.#last = row?.number ?? this.#last;
    return row === undefined ? [] : [row];
  }

  #takeTo(number: number): readonly SheetRow[] {
    const rows: SheetRow[] = [];
    while ((this.#window.peek()?.number ?? number + 1) <= number) rows.push(...this.#take());
    return rows;
  }

  /** Reads a row that has a single cell. After an empty line it is no part of the open table. */
  #remark(row: SheetRow, isSeparate: boolean): Block {
    const open = this.#open;
    if (open === undefined || isSeparate) return toBlock(lineOf(row), this.#context, [row]);
    if (row.merged.size === 0) return this.#row(row, open);
    return toBlock(withPlaces(row.cells, open.places), this.#context, [row]);
  }

  #row(row: SheetRow, { names, places }: OpenTable): Block {
    const text = names === undefined ? withPlaces(row.cells, places) : withNames(row.cells, names);
    const key = names === undefined ? undefined : keyOf(text);
    const block = toBlock(text, this.#context, [row], names);
    return key === undefined ? block : { ...block, head: key };
  }

  *#lead(isStated: boolean): Generator<Block, Lead> {
    const isSeparate = this.#isGap() && !isStated;
    const rows: SheetRow[] = [];
    let count = 0;
    for (let row = this.#window.peek(); row !== undefined; row = this.#window.peek()) {
      if (!isLone(row, this.#open?.from ?? row.from)) break;
      rows.push(...this.#take());
      count += 1;
      if (count > maxLeadRows) yield* rows.splice(0, 1).map((early) => this.#remark(early, isSeparate));
    }
    return { rows, count, isSeparate };
  }

  /** Reads the lines above another table. The first one is a heading, the title of the table. */
  *#titles({ rows, count }: Lead): Generator<Block> {
    const [title] = count <= maxLeadRows ? rows : [];
    const hasTitle = title !== undefined && lineOf(title).length <= maxTitleChars;
    const isApart = this.#isTitled && !hasTitle;
    this.#isTitled = hasTitle;
    for (const [at, row] of rows.entries()) {
      const block = toBlock(lineOf(row), this.#context, [row]);
      yield { ...block, level: hasTitle && at === 0 ? 1 : null, isApart: isApart && at === 0 };
    }
  }

  /** Head of another table that begins here. */
  #nextHead({ count, isSeparate }: Lead, rows: readonly SheetRow[]): Head | undefined {
    const { headRows } = this.#context;
    const open = this.#open;
    if (rows.length === 0) return undefined;
    if (headRows !== undefined) return open === undefined ? headOf(rows, 0, headRows - 1) : undefined;
    if (open !== undefined && !isSeparate && count === 0) return undefined;
    const head = headAhead(this.#window, rows);
    return head !== undefined && (open === undefined || isOtherTable(open, rows, head)) ? head : undefined;
  }

  /** Reads the titles and the head of another table, if one begins here. Otherwise the open table goes on. */
  *#begin(lead: Lead): Generator<Block> {
    const rows = tableAhead(this.#window);
    const head = this.#nextHead(lead, rows);
    if (head === undefined) {
      yield* lead.rows.map((row) => this.#remark(row, lead.isSeparate));
      if (rows.length > 0) this.#open ??= openTable(rows, undefined);
      return;
    }
    const isApart = this.#isTitled && lead.rows.length === 0;
    yield* this.#titles(lead);
    const open = openTable(rows, head);
    this.#open = open;
    const above = this.#takeTo((rows[head.first]?.number ?? 1) - 1);
    yield* above.map((row) => toBlock(lineOf(row), this.#context, [row]));
    const lines = this.#takeTo(rows[head.last]?.number ?? 0);
    yield { ...toBlock(withPlaces(head.names, open.places), this.#context, lines, head.names), isApart };
  }

  /** Reads rows up to the next empty line or single cell. */
  *#rows(open: OpenTable): Generator<Block> {
    for (let [row] = this.#take(); row !== undefined; [row] = this.#take()) {
      yield this.#row(row, open);
      const next = this.#window.peek();
      if (next === undefined || this.#isGap() || isLone(next, open.from)) return;
    }
  }

  *#parallel(lead: Lead, beside: readonly Columns[]): Generator<Block> {
    yield* this.#titles(lead);
    const rows = [...this.#take()];
    while (this.#window.peek() !== undefined && !this.#isGap() && rows.length < maxParallelRows) {
      rows.push(...this.#take());
    }
    for (const { from, to } of beside) {
      const own = rows.flatMap((row) => within(row, from, to) ?? []);
      yield* new TablesReader(own, { place: this.#context.place }).blocks();
    }
    this.#open = undefined;
    this.#isTitled = true;
  }
}

/**
 * Converts the rows of a sheet to blocks that are understood on their own: a line `column: value` for every non-empty
 * cell. Rows above a head, and tables without one, are lines with ` | ` between cells; an empty cell keeps its place.
 * Another table begins with another head after an empty line or a title; its title is a heading. Only the rows searched
 * for a head are read ahead, since a table may exceed the memory.
 */
export const rowBlocks = (source: Iterable<Row>, context: TableContext): Generator<Block> =>
  new TablesReader(withoutEmptyCells(source), context).blocks();

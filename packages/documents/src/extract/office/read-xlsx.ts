import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { noteUnreadPictures } from './unread-pictures.ts';
import { openPackage } from './open-package.ts';
import type { Place } from '../port.ts';
import { rowBlocks } from '../sheet-tables.ts';
import type { Row } from '../table-rows.ts';
import { readComments, readDefinedTables, readSheetDrawings, type DefinedTable } from './xlsx-annotations.ts';
import { readSheet, type Sheet } from './xlsx-sheet.ts';
import { readWorkbook } from './xlsx-workbook.ts';

/** Begins a section of its own, without the title of the table before it. */
const apart = function* (blocks: Iterable<Block>): Generator<Block> {
  let isFirst = true;
  for (const block of blocks) {
    yield isFirst ? { ...block, isApart: true } : block;
    isFirst = false;
  }
};

/** Splits rows into those within a table and the cells beside it. */
const partition = (rows: readonly Row[], table: DefinedTable): { readonly inside: Row[]; readonly outside: Row[] } => {
  const [inside, outside]: [Row[], Row[]] = [[], []];
  for (const row of rows) {
    if (row.number < table.firstRow || row.number > table.lastRow) {
      outside.push(row);
      continue;
    }
    const isInside = (column: number): boolean => column >= table.firstColumn && column <= table.lastColumn;
    const part = (wanted: boolean): Row => ({
      ...row,
      cells: Array.from(row.cells).filter(([column]) => isInside(column) === wanted),
      comments: row.comments?.filter(({ column }) => isInside(column) === wanted) ?? [],
    });
    inside.push(part(true));
    outside.push(part(false));
  }
  return { inside, outside };
};

/** Blocks of the rows of a sheet. Defined tables are read on their own, under the titles directly above them. */
const sheetBlocks = function* (rows: readonly Row[], tables: readonly DefinedTable[], place: Place): Generator<Block> {
  let rest = rows;
  for (const table of tables) {
    const { inside, outside } = partition(rest, table);
    const below = outside.findIndex(({ number }) => number >= table.firstRow);
    const above = outside.splice(0, below === -1 ? outside.length : below);
    const titles = above.findLastIndex((row, at) => {
      const next = above[at + 1]?.number ?? table.firstRow;
      return Array.from(row.cells).length > 1 || next > row.number + 2;
    });
    const lead = above.length - titles - 1 > 2 ? above.length : titles + 1;
    yield* apart(rowBlocks(above.slice(0, lead), { place }));
    const isNamed = table.headRows > 0 && table.firstColumn < table.lastColumn;
    const context = { place, ...(isNamed && { headRows: Math.min(table.headRows, inside.length) }) };
    yield* apart(rowBlocks([...above.slice(lead), ...inside], context));
    rest = outside;
  }
  yield* apart(rowBlocks(rest, { place }));
};

const plural = (count: number, name: string): string => `${count} hidden ${name}${count === 1 ? '' : 's'}`;

const formulasNote = (count: number): string => {
  const formulas = count === 1 ? '1 formula has' : `${count} formulas have`;
  return `${formulas} no stored value; open the file in a spreadsheet program and save it.`;
};

/** Notes about content that is not read. */
const notesOf = (hiddenSheets: number, sheets: readonly Sheet[]): readonly string[] => {
  const sum = (count: (sheet: Sheet) => number): number => sheets.reduce((total, sheet) => total + count(sheet), 0);
  const hidden = [
    [hiddenSheets, 'sheet'] as const,
    [sum(({ hiddenRows }) => hiddenRows), 'row'] as const,
    [sum(({ hiddenColumns }) => hiddenColumns), 'column'] as const,
  ].flatMap(([count, name]) => (count === 0 ? [] : [plural(count, name)]));
  const formulas = sum(({ formulasWithoutValue }) => formulasWithoutValue);
  return [
    ...(hidden.length === 0 ? [] : [`Hidden content was not read: ${hidden.join(', ')}.`]),
    ...(formulas === 0 ? [] : [formulasNote(formulas)]),
  ];
};

/**
 * Reads XLSX sheet by sheet, row by row: values as last computed, dates in ISO 8601, numbers with the percent sign,
 * currency or unit of their format. Merged cells give their text to all cells that they cover. Hidden sheets, rows and
 * columns are left out.
 */
export const readXlsx: FormatReader = async ({ bytes }) => {
  const office = await openPackage(bytes);
  const workbook = await readWorkbook(office);
  const relations = await office.relations(office.main);
  const blocks: Block[] = [];
  const sheets: Sheet[] = [];
  for (const { name, relation } of workbook.sheets.filter(({ isHidden }) => !isHidden)) {
    const { type, target = '' } = relations.get(relation) ?? {};
    if (type !== 'worksheet' && type !== 'chartsheet') continue;
    const place = { sheet: name };
    const sheet = await readSheet(workbook, target, await readComments(office, target));
    const content = [
      ...sheetBlocks(sheet.rows, await readDefinedTables(office, target), place),
      ...apart(await readSheetDrawings(office, target, place)),
    ];
    sheets.push(sheet);
    if (content.length > 0) blocks.push({ text: name, level: 0, place });
    for (const block of content) blocks.push(block);
  }
  const hiddenSheets = workbook.sheets.filter(({ isHidden }) => isHidden).length;
  return noteUnreadPictures({ ...openBlocks(blocks), notes: notesOf(hiddenSheets, sheets) }, office.archive);
};

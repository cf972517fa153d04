import { openBlocks, type Block } from '../cut-units.ts';
import { cleanText } from '../text/decode-text.ts';
import type { FormatReader } from '../format.ts';
import { noteUnreadPictures } from './unread-pictures.ts';
import { firstDayOf, numberFormat, plain, type NumberFormat } from './number-formats.ts';
import { openPackage, relationId, type OfficePackage } from './open-package.ts';
import { attributeOf, childOf, childrenOf, findAll, visitXml } from '../parse-xml.ts';
import { maxColumns, rowBlocks, type Row } from '../table-rows.ts';

interface Workbook {
  readonly office: OfficePackage;
  readonly strings: readonly string[];
  /** By index of a cell's style. */
  readonly formats: readonly NumberFormat[];
}

interface Sheet {
  readonly rows: readonly Row[];
  /** Number of formulas without a value, which a program wrote that does not compute. */
  readonly formulasWithoutValue: number;
}

const maxCells = 5_000_000;

const targetOf = async (office: OfficePackage, wanted: string): Promise<string | undefined> =>
  [...(await office.relations(office.main)).values()].find(
    ({ type, target }) => type === wanted && office.archive.names.has(target),
  )?.target;

const unitOf = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16));

/** Decodes escaped characters of a string (ST_Xstring, ECMA-376). `_x005F_` escapes text that looks like a code. */
const decodeString = (text: string): string =>
  text.includes('_x') ? cleanText(text.replace(/_x([\dA-F]{4})_/gi, unitOf).toWellFormed()) : text;

/** Shared strings by index, without the reading aids of East Asian scripts. */
const readStrings = async (office: OfficePackage): Promise<readonly string[]> => {
  const part = await targetOf(office, 'sharedStrings');
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let aids = 0;
  await visitXml((part === undefined ? null : await office.archive.text(part)) ?? '', {
    open: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') aids += 1;
      isText = name === 't' && aids === 0;
    },
    text: (words) => {
      if (isText) text += words;
    },
    close: (name) => {
      if (name === 'si') strings.push(decodeString(text));
      if (name === 'rPh') aids -= 1;
      isText = false;
    },
  });
  return strings;
};

/** Number formats by style index. */
const readFormats = async (office: OfficePackage, firstDay: number): Promise<readonly NumberFormat[]> => {
  const part = await targetOf(office, 'styles');
  if (part === undefined) return [];
  const styles = childOf(await office.xml(part), 'styleSheet');
  const codes = new Map(
    findAll(styles, 'numFmt').map((format) => [attributeOf(format, 'numFmtId'), attributeOf(format, 'formatCode')]),
  );
  return childrenOf(childOf(styles, 'cellXfs'), 'xf').map((style) => {
    const id = attributeOf(style, 'numFmtId') ?? '0';
    return numberFormat(Number(id), codes.get(id), firstDay);
  });
};

const columnOf = (reference: string | undefined, after: number): number => {
  const letters = /^[A-Z]+/i.exec(reference ?? '')?.[0]?.toUpperCase();
  if (letters === undefined) return after + 1;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
};

const cellText = (value: string, type: string, style: number, { strings, formats }: Workbook): string => {
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type !== '' && type !== 'n') return decodeString(value);
  return (formats[style] ?? plain)(value);
};

const readSheet = async (workbook: Workbook, part: string): Promise<Sheet> => {
  const rows: Row[] = [];
  let cells = new Map<number, string>();
  let number = 0;
  let column = -1;
  let cell = { type: '', style: 0, value: '', isFormula: false };
  let isValue = false;
  let aids = 0;
  let count = 0;
  let formulasWithoutValue = 0;
  await visitXml((await workbook.office.archive.text(part)) ?? '', {
    open: (name, attributes) => {
      if (name === 'row') {
        cells = new Map();
        number = Number(attributes['r'] ?? number + 1) || number + 1;
        column = -1;
      } else if (name === 'c') {
        column = columnOf(attributes['r'], column);
        cell = { type: attributes['t'] ?? '', style: Number(attributes['s'] ?? 0), value: '', isFormula: false };
      }
      if (name === 'f') cell.isFormula = true;
      if (name === 'rPh') aids += 1;
      isValue = name === 'v' || (name === 't' && aids === 0);
    },
    text: (text) => {
      if (isValue) cell.value += text;
    },
    close: (name) => {
      isValue = false;
      if (name === 'rPh') aids -= 1;
      if (name === 'row' && cells.size > 0) rows.push({ number, cells });
      // An empty string is a value.
      if (name === 'c' && cell.isFormula && cell.value === '' && cell.type !== 'str') formulasWithoutValue += 1;
      if (name !== 'c' || cell.value === '' || column >= maxColumns || count >= maxCells) return;
      count += 1;
      cells.set(column, cellText(cell.value, cell.type, cell.style, workbook));
    },
  });
  return { rows, formulasWithoutValue };
};

const blocksOf = (sheet: string, { rows }: Sheet): readonly Block[] => {
  const blocks = [...rowBlocks(rows, { sheet })];
  return blocks.length === 0 ? [] : [{ text: sheet, level: 1, place: { sheet } }, ...blocks];
};

const formulasNote = (count: number): string => {
  const formulas = count === 1 ? '1 formula has' : `${count} formulas have`;
  return `${formulas} no stored value; open the file in a spreadsheet program and save it.`;
};

/** Reads XLSX sheet by sheet, row by row: values as last computed, dates in ISO 8601, percentages with `%`. */
export const readXlsx: FormatReader = async ({ bytes }) => {
  const office = await openPackage(bytes);
  const book = childOf(await office.xml(office.main), 'workbook');
  const workbook: Workbook = {
    office,
    strings: await readStrings(office),
    formats: await readFormats(office, firstDayOf(attributeOf(childOf(book, 'workbookPr'), 'date1904'))),
  };
  const relations = await office.relations(office.main);
  const blocks: Block[] = [];
  let formulasWithoutValue = 0;
  for (const sheet of childrenOf(childOf(book, 'sheets'), 'sheet')) {
    const relation = relations.get(relationId(sheet));
    if (relation?.type !== 'worksheet') continue;
    const name = (attributeOf(sheet, 'name') ?? '').slice(0, 100).toWellFormed();
    const read = await readSheet(workbook, relation.target);
    formulasWithoutValue += read.formulasWithoutValue;
    for (const block of blocksOf(name, read)) blocks.push(block);
  }
  const notes = formulasWithoutValue === 0 ? [] : [formulasNote(formulasWithoutValue)];
  return noteUnreadPictures({ ...openBlocks(blocks), notes }, office.archive);
};

import { cleanText } from '../text/decode-text.ts';
import { markRaised, renderRaised } from '../text/superscript.ts';
import { firstDayOf, numberFormat, type NumberFormat } from './number-formats.ts';
import { relationId, type OfficePackage } from './open-package.ts';
import { attributeOf, childOf, childrenOf, findAll, visitXml } from '../parse-xml.ts';

/** Sheet as the workbook lists it. */
export interface SheetEntry {
  readonly name: string;
  readonly relation: string;
  readonly isHidden: boolean;
}

/** Workbook of an XLSX without the content of its sheets. */
export interface Workbook {
  readonly office: OfficePackage;
  readonly sheets: readonly SheetEntry[];
  readonly strings: readonly string[];
  /** By index of a cell's style. */
  readonly formats: readonly NumberFormat[];
}

const targetOf = async (office: OfficePackage, wanted: string): Promise<string | undefined> =>
  [...(await office.relations(office.main)).values()].find(
    ({ type, target }) => type === wanted && office.archive.names.has(target),
  )?.target;

const unitOf = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16));

/** Decodes escaped characters of a string (ST_Xstring, ECMA-376). `_x005F_` escapes text that looks like a code. */
export const decodeString = (text: string): string =>
  text.includes('_x') ? cleanText(text.replace(/_x([\dA-F]{4})_/gi, unitOf).toWellFormed()) : text;

/** Shared strings by index, without the reading aids of East Asian scripts. */
const readStrings = async (office: OfficePackage): Promise<readonly string[]> => {
  const part = await targetOf(office, 'sharedStrings');
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isRaised = false;
  let aids = 0;
  await visitXml((part === undefined ? null : await office.archive.text(part)) ?? '', {
    open: (name, attributes) => {
      if (name === 'si') text = '';
      if (name === 'si' || name === 'r') isRaised = false;
      if (name === 'vertAlign') isRaised = attributes['val'] === 'superscript';
      if (name === 'rPh') aids += 1;
      isText = name === 't' && aids === 0;
    },
    text: (words) => {
      if (isText) text += isRaised ? markRaised(words) : words;
    },
    close: (name) => {
      if (name === 'si') strings.push(renderRaised(decodeString(text)));
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

/** Reads the parts of a workbook that its sheets share. */
export const readWorkbook = async (office: OfficePackage): Promise<Workbook> => {
  const book = childOf(await office.xml(office.main), 'workbook');
  return {
    office,
    sheets: childrenOf(childOf(book, 'sheets'), 'sheet').map((sheet) => ({
      name: (attributeOf(sheet, 'name') ?? '').slice(0, 100).toWellFormed(),
      relation: relationId(sheet),
      isHidden: /^(?:hidden|veryHidden)$/.test(attributeOf(sheet, 'state') ?? ''),
    })),
    strings: await readStrings(office),
    formats: await readFormats(office, firstDayOf(attributeOf(childOf(book, 'workbookPr'), 'date1904'))),
  };
};

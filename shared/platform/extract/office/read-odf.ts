import { oneLine } from '../../../kernel/text.ts';
import { openBlocks, openPages, type Block } from '../cut-units.ts';
import type { FormatReader, OpenedFile } from '../format.ts';
import { noteUnreadPictures } from './unread-pictures.ts';
import { openZip } from '../containers/open-zip.ts';
import { attributeOf, childOf, childrenOf, findAll, parseXml, type XmlElement } from '../parse-xml.ts';
import { UnreadableFile } from '../port.ts';
import { maxColumns, rowBlocks, rowLine, type Row } from '../table-rows.ts';

const skipped = new Set([
  'tracked-changes',
  'annotation',
  'note-citation',
  'sequence-decls',
  'forms',
  'soft-page-break',
  'ruby-text',
]);
const maxCells = 5_000_000;
// A few bytes may repeat a row a billion times.
const maxCopies = 1_000_000;

const isParagraph = ({ name }: XmlElement): boolean => name === 'p' || name === 'h';

/** Text of a paragraph. @param isApart Returns whether a child element is separate from its text. */
const wordsOf = (element: XmlElement, isApart: (child: XmlElement) => boolean): string =>
  element.children
    .map((child) => {
      if (typeof child === 'string') return child.replace(/\s+/g, ' ');
      if (child.name === 's') return ' '.repeat(Math.min(100, Number(attributeOf(child, 'c') ?? 1) || 1));
      if (child.name === 'tab') return '\t';
      if (child.name === 'line-break') return '\n';
      if (skipped.has(child.name) || isApart(child)) return '';
      return child.name === 'note' ? ` (${paragraphsIn(child).join(' ')})` : wordsOf(child, isApart);
    })
    .join('');

interface Paragraph {
  readonly text: string;
  /** Boxes and shapes anchored to it. Notes of a heading too, which are kept out of the heading path. */
  readonly apart: readonly XmlElement[];
}

const readParagraph = (paragraph: XmlElement): Paragraph => {
  const apart: XmlElement[] = [];
  const isApart = (child: XmlElement): boolean => {
    const isNote = child.name === 'note' && paragraph.name === 'h';
    if (!isNote && child.name !== 'text-box' && !isParagraph(child)) return false;
    apart.push(child);
    return true;
  };
  return { text: wordsOf(paragraph, isApart).trim(), apart };
};

/** Texts of the paragraphs in elements, at any depth. */
const paragraphsOf = (elements: readonly XmlElement[]): readonly string[] =>
  elements.flatMap((element) => {
    if (skipped.has(element.name)) return [];
    if (!isParagraph(element)) return paragraphsIn(element);
    const { text, apart } = readParagraph(element);
    return [text, ...paragraphsOf(apart)];
  });

/** Paragraphs of a table cell, a list item or a shape. */
const paragraphsIn = (element: XmlElement): readonly string[] => paragraphsOf(childrenOf(element));

const listText = (list: XmlElement, indent: string): string =>
  childrenOf(list)
    .map((item) => {
      const inner = childrenOf(item, 'list').map((nested) => listText(nested, `${indent}  `));
      const own = paragraphsOf(childrenOf(item).filter(isParagraph));
      return [`${indent}- ${own.join(' ')}`, ...inner].filter((line) => line.trim() !== '-').join('\n');
    })
    .filter((text) => text !== '')
    .join('\n');

const rowsOf = (table: XmlElement): readonly XmlElement[] =>
  childrenOf(table).flatMap((child) => {
    if (child.name === 'table-row') return [child];
    return /^table-(?:header-rows|rows|row-group)$/.test(child.name) ? rowsOf(child) : [];
  });

const tableText = (table: XmlElement): string =>
  rowsOf(table)
    .map((row) => rowLine(childrenOf(row, 'table-cell').map((cell) => oneLine(paragraphsIn(cell).join(' ')))))
    .filter((line) => line !== '')
    .join('\n');

const paragraphBlocks = (paragraph: XmlElement): readonly Block[] => {
  const { text, apart } = readParagraph(paragraph);
  const outline = Number(attributeOf(paragraph, 'outline-level') ?? 1);
  const isTitle = attributeOf(paragraph, 'style-name') === 'Title';
  const level = paragraph.name === 'h' ? Math.min(6, Math.max(1, outline || 1)) : isTitle ? 0 : null;
  return [{ text, level }, ...blocksOf(apart)];
};

const blocksOf = (elements: readonly XmlElement[]): readonly Block[] =>
  elements
    .filter(({ name }) => !skipped.has(name))
    .flatMap((element) => {
      if (isParagraph(element)) return paragraphBlocks(element);
      if (element.name === 'table') return [{ text: tableText(element), level: null }];
      // A numbered heading is inside a list of its own.
      const isList = element.name === 'list' && findAll(element, 'h').length === 0;
      return isList ? [{ text: listText(element, ''), level: null }] : blocksIn(element);
    })
    .filter(({ text }) => text !== '');

const blocksIn = (body: XmlElement): readonly Block[] => blocksOf(childrenOf(body));

const repeatOf = (element: XmlElement, attribute: string): number =>
  Math.max(1, Math.min(maxColumns * 64, Number(attributeOf(element, attribute) ?? 1) || 1));

/** Remaining number of cells that may be read, and of those that are mere repetitions. */
interface Budget {
  cells: number;
  copies: number;
}

/** Cells of a row by column. A repeated cell is included as often as it is repeated. */
const cellsOf = (row: XmlElement, budget: Budget): ReadonlyMap<number, string> => {
  const cells = new Map<number, string>();
  let column = 0;
  for (const cell of childrenOf(row)) {
    const text = paragraphsIn(cell).join(' ').trim();
    const repeat = repeatOf(cell, 'number-columns-repeated');
    const wanted = text === '' ? 0 : Math.min(repeat, maxColumns - column, budget.cells, budget.copies + 1);
    for (let at = column; at < column + wanted; at += 1) cells.set(at, text);
    budget.cells -= Math.max(0, wanted);
    budget.copies -= Math.max(0, wanted - 1);
    column += repeat;
  }
  return cells;
};

/** Yields non-empty rows as often as they are repeated. A table often ends with a million empty rows. */
const sheetRows = function* (table: XmlElement, budget: Budget): Generator<Row> {
  let number = 1;
  for (const row of rowsOf(table)) {
    const cells = cellsOf(row, budget);
    const end = number + repeatOf(row, 'number-rows-repeated');
    if (cells.size > 0) yield { number, cells };
    for (let at = number + 1; at < end && cells.size > 0 && cells.size <= budget.copies; at += 1) {
      budget.copies -= cells.size;
      yield { number: at, cells };
    }
    number = end;
  }
};

const sheetBlocks = function* (sheets: readonly XmlElement[]): Generator<Block> {
  const budget = { cells: maxCells, copies: maxCopies };
  for (const table of sheets) {
    const place = { sheet: (attributeOf(table, 'name') ?? '').slice(0, 100).toWellFormed() };
    let isBegun = false;
    for (const row of rowBlocks(sheetRows(table, budget), place)) {
      if (!isBegun) yield { text: place.sheet, level: 1, place };
      isBegun = true;
      yield row;
    }
  }
};

const slideBlocks = (page: XmlElement, slide: number): readonly Block[] => {
  const place = { slide };
  const isTitle = (shape: XmlElement): boolean => attributeOf(shape, 'class') === 'title';
  const shapes = childrenOf(page).filter(({ name }) => name !== 'notes');
  const title = shapes.filter(isTitle).flatMap(paragraphsIn).join(' ').trim();
  const bodies = shapes.filter((shape) => !isTitle(shape)).flatMap(blocksIn);
  const notes = childrenOf(page, 'notes')
    .flatMap(paragraphsIn)
    .filter((text) => text !== '');
  return [
    ...(title === '' ? [] : [{ text: title, level: 1, place }]),
    ...bodies.map(({ text }) => ({ text, level: null, place })),
    ...(notes.length === 0 ? [] : [{ text: `Notes: ${notes.join('\n')}`, level: null, place }]),
  ];
};

const openDocument = (document: XmlElement | undefined): OpenedFile => {
  if (document?.name === 'spreadsheet') return openBlocks(sheetBlocks(childrenOf(document, 'table')));
  if (document?.name !== 'presentation') return openBlocks(document === undefined ? [] : blocksIn(document));
  return openPages(findAll(document, 'page').map((page, index) => slideBlocks(page, index + 1)));
};

/** Reads ODT (headings, lists, tables), ODS (sheet by sheet, row by row) and ODP (slide by slide). */
export const readOdf: FormatReader = async ({ bytes }) => {
  const archive = await openZip(bytes);
  if (/<(?:\w+:)?encryption-data\b/.test((await archive.text('META-INF/manifest.xml')) ?? '')) {
    throw new UnreadableFile('The document is protected by a password');
  }
  const content = await archive.text('content.xml');
  if (content === null) throw new UnreadableFile('The file is damaged: its part content.xml is missing');
  const body = childOf(childOf(await parseXml(content), 'document-content'), 'body');
  const [document] = childrenOf(body);
  return noteUnreadPictures(openDocument(document), archive);
};

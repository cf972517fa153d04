import type { Block } from '../cut-units.ts';
import { linesOf, drawingOf, readDrawings } from './drawing-text.ts';
import type { OfficePackage } from './open-package.ts';
import { attributeOf, childOf, childrenOf, findAll, textIn, type XmlElement } from '../parse-xml.ts';
import type { Place } from '../port.ts';
import type { CellComment } from '../table-rows.ts';
import { rangeOf } from './xlsx-sheet.ts';

const targetsOf = async (office: OfficePackage, part: string, wanted: string): Promise<readonly string[]> =>
  [...(await office.relations(part)).values()].flatMap(({ type, target }) =>
    type === wanted && office.archive.names.has(target) ? [target] : [],
  );

/** Words of a comment, without the reading aids of East Asian scripts. */
const commentText = (element: XmlElement): string =>
  childrenOf(element)
    .map((child) => (child.name === 't' ? textIn(child) : child.name === 'r' ? commentText(child) : ''))
    .join('')
    .trim();

/** The text with its author, who is often its first line already. */
const byAuthor = (author: string, text: string): string =>
  author === '' || text === '' || text.startsWith(author) ? text : `${author}: ${text}`;

/** Comments on cells by row. A thread of comments replaces the comment that older programs display in its place. */
export const readComments = async (
  office: OfficePackage,
  sheet: string,
): Promise<ReadonlyMap<number, readonly CellComment[]>> => {
  const found: (readonly [string | undefined, string])[] = [];
  for (const part of await targetsOf(office, sheet, 'threadedComment')) {
    for (const comment of findAll(await office.xml(part), 'threadedComment')) {
      found.push([attributeOf(comment, 'ref'), textIn(childOf(comment, 'text')).trim()]);
    }
  }
  const threads = new Set(found.map(([cell]) => cell));
  for (const part of await targetsOf(office, sheet, 'comments')) {
    const root = await office.xml(part);
    const authors = findAll(root, 'author').map((author) => textIn(author).trim());
    for (const comment of findAll(root, 'comment')) {
      const author = authors[Number(attributeOf(comment, 'authorId') ?? Number.NaN)] ?? '';
      const [cell, text] = [attributeOf(comment, 'ref'), childOf(comment, 'text')];
      if (text !== undefined && !threads.has(cell)) found.push([cell, byAuthor(author, commentText(text))]);
    }
  }
  const comments = new Map<number, CellComment[]>();
  for (const [cell, text] of found) {
    const range = rangeOf(cell);
    if (range === undefined || cell === undefined || text === '') continue;
    const ofRow = comments.get(range.firstRow) ?? [];
    ofRow.push({ column: range.firstColumn, cell, text });
    comments.set(range.firstRow, ofRow);
  }
  return comments;
};

const isHidden = (element: XmlElement): boolean =>
  /^(?:1|true)$/.test(attributeOf(findAll(element, 'cNvPr')[0], 'hidden') ?? '');

/** Texts of the boxes, shapes, charts and pictures of an anchor, in order. */
const textsOf = (element: XmlElement, drawings: ReadonlyMap<string, string>): readonly string[] =>
  childrenOf(element).flatMap((child) => {
    if (child.name === 'Fallback') return [];
    if (/^(?:sp|cxnSp|graphicFrame|pic)$/.test(child.name) && isHidden(child)) return [];
    if (child.name === 'sp') return [linesOf(child).join('\n')];
    if (child.name === 'pic') return [attributeOf(findAll(child, 'cNvPr')[0], 'descr') ?? ''];
    const drawing = drawingOf(child, drawings);
    return drawing === undefined ? textsOf(child, drawings) : [drawing];
  });

/** Text boxes, shapes, charts and descriptions of pictures that are placed on a sheet. */
export const readSheetDrawings = async (
  office: OfficePackage,
  sheet: string,
  place: Place,
): Promise<readonly Block[]> => {
  const blocks: Block[] = [];
  for (const part of await targetsOf(office, sheet, 'drawing')) {
    const drawings = await readDrawings(office, part);
    for (const anchor of childrenOf(childOf(await office.xml(part), 'wsDr'))) {
      const row = Number(textIn(childOf(childOf(anchor, 'from'), 'row')) || Number.NaN) + 1;
      const bounds = Number.isSafeInteger(row) ? { first: { row_start: row }, last: { row_end: row } } : undefined;
      for (const text of textsOf(anchor, drawings)) {
        if (text.trim() !== '') blocks.push({ text, level: null, place, ...(bounds !== undefined && { bounds }) });
      }
    }
  }
  return blocks;
};

/** Table that is defined on a sheet. */
export interface DefinedTable {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
  readonly headRows: number;
}

/** Tables that are defined on a sheet, from top to bottom. */
export const readDefinedTables = async (office: OfficePackage, sheet: string): Promise<readonly DefinedTable[]> => {
  const tables: DefinedTable[] = [];
  for (const part of await targetsOf(office, sheet, 'table')) {
    const table = childOf(await office.xml(part), 'table');
    const range = rangeOf(attributeOf(table, 'ref'));
    if (range !== undefined) tables.push({ ...range, headRows: Number(attributeOf(table, 'headerRowCount') ?? 1) });
  }
  return tables.toSorted((one, other) => one.firstRow - other.firstRow || one.firstColumn - other.firstColumn);
};

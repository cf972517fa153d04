import type { Piece } from './compose-blocks.ts';
import { toSpans, type MergeableCell } from './merged-cells.ts';
import { attributeOf, childOf, childrenOf, findAll, type XmlElement } from '../parse-xml.ts';
import { expandSpans, type SpanningCell, type TableGrid } from '../table.ts';
import { isOn } from './word-styles.ts';
import { isPrompt } from './word-text.ts';

interface WordCell extends Omit<MergeableCell, 'text'> {
  /** Null: it has no visible content. */
  readonly element: XmlElement | null;
}

const numberIn = (properties: XmlElement | undefined, name: string): number =>
  Math.max(0, Math.trunc(Number(attributeOf(childOf(properties, name), 'val') ?? 0)) || 0);

const mergeOf = (properties: XmlElement | undefined, name: string): 'restart' | 'continue' | null => {
  const merge = childOf(properties, name);
  if (merge === undefined) return null;
  return attributeOf(merge, 'val') === 'restart' ? 'restart' : 'continue';
};

/** Cells of a row, also within content controls. A cell that shows a prompt is empty. */
const cellElements = (row: XmlElement): readonly (readonly [XmlElement, boolean])[] =>
  childrenOf(row).flatMap((child) => {
    if (child.name === 'tc') return [[child, true] as const];
    if (child.name === 'sdt' && isPrompt(child)) return cellElements(child).map(([cell]) => [cell, false] as const);
    return /^(?:trPr|tblPrEx|sdtPr)$/.test(child.name) ? [] : cellElements(child);
  });

const cellsOf = (row: XmlElement): readonly WordCell[] => {
  const before = numberIn(childOf(row, 'trPr'), 'gridBefore');
  const gap = { element: null, columns: before, continues: null, begins: false };
  const cells = cellElements(row).map(([cell, isShown]): WordCell => {
    const properties = childOf(cell, 'tcPr');
    const [down, across] = [mergeOf(properties, 'vMerge'), mergeOf(properties, 'hMerge')];
    return {
      element: isShown && childOf(properties, 'cellDel') === undefined ? cell : null,
      columns: Math.max(1, numberIn(properties, 'gridSpan')),
      continues: across === 'continue' ? 'before' : down === 'continue' ? 'above' : null,
      begins: down === 'restart',
    };
  });
  return before > 0 ? [gap, ...cells] : cells;
};

const isShown = (row: XmlElement): boolean => {
  const properties = childOf(row, 'trPr');
  return childOf(properties, 'del') === undefined && isOn(properties, 'hidden') !== true;
};

/** Number of first rows that are marked as the head, with the rows that their merged cells reach. */
const countHeadRows = (rows: readonly XmlElement[], spans: readonly (readonly SpanningCell[])[]): number => {
  const marked = rows.findIndex((row) => isOn(childOf(row, 'trPr'), 'tblHeader') !== true);
  let count = 0;
  for (const [at, cells] of spans.slice(0, Math.max(0, marked)).entries())
    for (const cell of cells) count = Math.max(count, at + (cell.rows ?? 1));
  return count;
};

const titleIn = (table: XmlElement): string | undefined =>
  attributeOf(childOf(childOf(table, 'tblPr'), 'tblCaption'), 'val');

/** How the content of a cell is read. */
interface CellReader {
  readonly textOf: (cell: XmlElement) => string;
  readonly piecesOf: (cell: XmlElement) => readonly Piece[];
}

/** Reads a table. One of a single column, or of a single row of long cells, only arranges its content. */
export const readWordTable = (table: XmlElement, { textOf, piecesOf }: CellReader): readonly Piece[] => {
  // At any depth: content controls may enclose rows and cells.
  const rows = findAll(table, 'tr').filter(isShown);
  const cells = rows.map(cellsOf);
  const isColumn = cells.every((row) => row.length < 2);
  const isRow =
    cells.length === 1 && cells.flat().some(({ element }) => childrenOf(element ?? undefined, 'p').length > 1);
  if (isColumn || isRow) return cells.flat().flatMap(({ element }) => (element === null ? [] : piecesOf(element)));
  const spans = toSpans(
    cells.map((row) => row.map((cell) => ({ ...cell, text: cell.element === null ? '' : textOf(cell.element) }))),
  );
  const headRows = countHeadRows(rows, spans);
  const title = titleIn(table);
  const grid: TableGrid = {
    rows: expandSpans(spans),
    ...(headRows > 0 && { headRows }),
    ...(title !== undefined && title.trim() !== '' && { title }),
  };
  return [{ grid }];
};

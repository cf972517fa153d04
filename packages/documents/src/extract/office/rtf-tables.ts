import type { Piece } from './compose-blocks.ts';
import { toSpans, type MergeableCell } from './merged-cells.ts';
import { expandSpans } from '../table.ts';

/** Definition of a cell, which precedes the content of its row. */
interface CellDefinition {
  readonly right: number;
  readonly continues: MergeableCell['continues'];
  readonly begins: boolean;
}

/** Row definition that control words describe. */
export interface RowDefinition {
  left: number;
  isHead: boolean;
  readonly cells: CellDefinition[];
  continues: MergeableCell['continues'];
  begins: boolean;
}

/** Row with its content. */
export interface RtfRow {
  readonly texts: readonly string[];
  readonly definition: RowDefinition;
}

/** Starts the definition of a row. */
export const openRow = (): RowDefinition => ({ left: 0, isHead: false, cells: [], continues: null, begins: false });

const maxCells = 1_000;

/** Applies a control word about a row and its cells. */
export const defineRow = (row: RowDefinition, word: string, value: number | null): void => {
  if (word === 'trleft') row.left = value ?? 0;
  else if (word === 'trhdr') row.isHead = true;
  else if (word === 'clmrg') row.continues = 'before';
  else if (word === 'clvmrg') row.continues = 'above';
  else if (word === 'clvmgf') row.begins = true;
  else if (word === 'cellx') {
    if (row.cells.length < maxCells)
      row.cells.push({ right: value ?? 0, continues: row.continues, begins: row.begins });
    row.continues = null;
    row.begins = false;
  }
};

// Edges of cells that are this close, in twentieths of a point, are the same edge.
const tolerance = 90;

/** Right edges of the columns of a table. Null: the rows have no common columns, as in a form. */
const findEdges = (rows: readonly RtfRow[]): readonly number[] | null => {
  const all = rows.flatMap(({ definition }) => definition.cells.map(({ right }) => right));
  const edges: number[] = [];
  for (const edge of all.toSorted((one, other) => one - other))
    if (edge - (edges.at(-1) ?? Number.NEGATIVE_INFINITY) > tolerance) edges.push(edge);
  const widest = rows.reduce((max, { definition }) => Math.max(max, definition.cells.length), 0);
  return edges.length > 2 * widest ? null : edges;
};

const cellsOf = ({ texts, definition }: RtfRow, edges: readonly number[] | null): readonly MergeableCell[] => {
  let left = definition.left;
  return texts.map((text, at) => {
    const cell = definition.cells[at];
    const from = left;
    left = cell?.right ?? left;
    const covered = edges?.filter((edge) => edge > from + tolerance && edge <= left + tolerance).length ?? 1;
    return { text, columns: Math.max(1, covered), continues: cell?.continues ?? null, begins: cell?.begins ?? false };
  });
};

/** Converts the rows of a table. A cell covers the columns whose right edges lie within it. */
export const rtfTable = (rows: readonly RtfRow[]): Piece => {
  const edges = findEdges(rows);
  const marked = rows.findIndex(({ definition }) => !definition.isHead);
  const headRows = Math.max(0, marked);
  return {
    grid: {
      rows: expandSpans(toSpans(rows.map((row) => cellsOf(row, edges)))),
      ...(headRows > 0 && { headRows }),
    },
  };
};

import type { Piece } from './compose-blocks.ts';
import { toSpans, type MergeableCell } from './merged-cells.ts';
import { expandSpans } from '../table.ts';

/** Right edge of a cell, and the cells that it continues. */
export interface CellDefinition {
  readonly right: number;
  readonly continues: MergeableCell['continues'];
  readonly begins: boolean;
}

/** Edges of the cells of a row, in twentieths of a point. */
export interface RowDefinition {
  readonly left: number;
  readonly isHead: boolean;
  readonly cells: readonly CellDefinition[];
}

/** Row with its content. */
export interface EdgedRow {
  readonly texts: readonly string[];
  readonly definition: RowDefinition;
}

// Edges of cells that are this close are the same edge.
const tolerance = 90;

/** Right edges of the columns of a table. Null: the rows have no common columns, as in a form. */
const findEdges = (rows: readonly EdgedRow[]): readonly number[] | null => {
  const all = rows.flatMap(({ definition }) => definition.cells.map(({ right }) => right));
  const edges: number[] = [];
  for (const edge of all.toSorted((one, other) => one - other))
    if (edge - (edges.at(-1) ?? Number.NEGATIVE_INFINITY) > tolerance) edges.push(edge);
  const widest = rows.reduce((max, { definition }) => Math.max(max, definition.cells.length), 0);
  return edges.length > 2 * widest ? null : edges;
};

const cellsOf = ({ texts, definition }: EdgedRow, edges: readonly number[] | null): readonly MergeableCell[] => {
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
export const edgedTable = (rows: readonly EdgedRow[]): Piece => {
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

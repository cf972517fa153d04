import type { SpanningCell } from '../table.ts';

/** Cell of a table whose merged cells are stated by the cells that they cover. */
export interface MergeableCell {
  readonly text: string;
  /** Number of columns that it covers. */
  readonly columns: number;
  /** Whether it continues the cell above or before. */
  readonly continues: 'above' | 'before' | null;
  /** Whether the cell below may continue it. */
  readonly begins: boolean;
}

const withColumns = (cells: readonly MergeableCell[]): readonly (readonly [number, MergeableCell])[] => {
  let column = 0;
  return cells.map((cell) => {
    const at = column;
    column += cell.columns;
    return [at, cell];
  });
};

/** Returns rows with the number of rows that each cell covers. Cells that continue another one are dropped. */
export const toSpans = (rows: readonly (readonly MergeableCell[])[]): readonly (readonly SpanningCell[])[] => {
  const placed = rows.map(withColumns);
  let below = new Map<number, number>();
  const heights = placed
    .toReversed()
    .map((row) => {
      const own = new Map<number, number>();
      const ends = row.map(([column, { continues, begins }]) => {
        const height = 1 + (below.get(column) ?? 0);
        if (continues === 'above') own.set(column, height);
        return begins ? height : 1;
      });
      below = own;
      return ends;
    })
    .toReversed();
  let open = new Set<number>();
  return placed.map((row, at) => {
    const stillOpen = new Set<number>();
    const cells: { text: string; columns: number; rows: number }[] = [];
    for (const [index, [column, { text, columns, continues, begins }]] of row.entries()) {
      const continuesAbove = continues === 'above' && open.has(column);
      if (begins || continuesAbove) stillOpen.add(column);
      const left = cells.at(-1);
      if (continues === 'before' && left !== undefined) left.columns += columns;
      else if (!continuesAbove) {
        cells.push({ text, columns, rows: heights[at]?.[index] ?? 1 });
      }
    }
    open = stillOpen;
    return cells;
  });
};

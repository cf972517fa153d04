import type { Table } from '@lancedb/lancedb';
import { memoizePerOwner } from '../../../../shared/kernel/memoize.ts';
import type { View } from './read-layers.ts';

/** Sums over rows. The part of one layer may be negative if its tombstones mask rows of its ancestors. */
export interface Totals {
  readonly rows: number;
  readonly sparseBytes: number;
}

/** Totals of one table. */
export interface TableTotals extends Totals {
  /** Rows and tombstones marked as masking a row of an ancestor. That row may no longer exist. */
  readonly masking: number;
}

/**
 * Returns the contribution of one table to the totals of all layers. Reads four narrow columns of the whole table.
 * @param last Whether the table has no ancestor, so that it masks nothing.
 */
export const measureTable = async (table: Table, last: boolean): Promise<TableTotals> => {
  let [rows, sparseBytes, masking] = [0, 0, 0];
  for await (const batch of table.query().select(['deleted', 'masks', 'text_bytes', 'masked_bytes'])) {
    const [deleted, masks] = [batch.getChild('deleted'), batch.getChild('masks')];
    const [bytes, masked] = [batch.getChild('text_bytes'), batch.getChild('masked_bytes')];
    for (let position = 0; position < batch.numRows; position += 1) {
      masking += masks?.get(position) ? 1 : 0;
      rows += (deleted?.get(position) ? 0 : 1) - (!last && masks?.get(position) ? 1 : 0);
      sparseBytes += Number(bytes?.get(position)) - (last ? 0 : Number(masked?.get(position)));
    }
  }
  return { rows, sparseBytes, masking };
};

/**
 * Returns a function that sums the totals of ancestors. Each has a fixed version, so it is measured once per handle.
 */
export const measureAncestors = (): ((ancestors: View) => Promise<Totals>) => {
  const measureLast = memoizePerOwner((table: Table) => measureTable(table, true));
  const measureBetween = memoizePerOwner((table: Table) => measureTable(table, false));
  return async (ancestors) => {
    const last = ancestors.length - 1;
    const parts = await Promise.all(
      ancestors.map((table, at) => (at === last ? measureLast(table) : measureBetween(table))),
    );
    return parts.reduce(
      (sum, part) => ({ rows: sum.rows + part.rows, sparseBytes: sum.sparseBytes + part.sparseBytes }),
      {
        rows: 0,
        sparseBytes: 0,
      },
    );
  };
};

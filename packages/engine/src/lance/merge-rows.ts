import type { Table } from '@lancedb/lancedb';
import type { IndexRef } from '../port.ts';
import { encodeRows, type StoredRow } from './encode-rows.ts';
import { measureTable, type Totals } from './measure-tables.ts';

/** Open tables of an index that is written, nearest layer first. */
export type WritableView = readonly [Table, ...Table[]];

/** An index and its open tables. */
export interface Writing {
  readonly ref: IndexRef;
  readonly view: WritableView;
}

/** Result of a merge into the nearest layer. */
export interface Merged {
  /** Rows, tombstones and the journal that were replaced. */
  readonly replaced: number;
  /** Whether there was no other write in between. */
  readonly isAlone: boolean;
}

/** Merges batches of rows into the nearest layer, each as one version. */
export const mergeRows = async (
  { ref, view: [table] }: Writing,
  batches: readonly (readonly StoredRow[])[],
): Promise<Merged> => {
  let version = await table.version();
  let [replaced, isAlone] = [0, true];
  for (const stored of batches) {
    // The index on id would be slower here, and with it concurrent merges could leave an id twice.
    const insert = table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().useIndex(false);
    const merged = await insert.execute(await encodeRows(stored, ref));
    isAlone &&= merged.version === version + 1;
    replaced += merged.numUpdatedRows;
    ({ version } = merged);
  }
  return { replaced, isAlone };
};

/** Returns the totals of the nearest layer after a merge that changes them by `growth`. */
export const totalsAfter = async (
  { ref, view: [table] }: Writing,
  { isAlone }: Pick<Merged, 'isAlone'>,
  before: Totals,
  growth: () => Promise<Totals> | Totals,
): Promise<Totals> => {
  // Another version in between shows a second writer, whose rows are not in these totals.
  if (!isAlone) return measureTable(table, ref.layers.length === 1);
  const { rows, sparseBytes } = await growth();
  return { rows: before.rows + rows, sparseBytes: before.sparseBytes + sparseBytes };
};

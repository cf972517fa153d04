import { textBytes, type StoredRow } from './encode-rows.ts';
import type { Totals } from './measure-tables.ts';
import { statesOf, type RowState, type View } from './read-layers.ts';

/** Visible state of an id before the commit, and the state that a row of the nearest layer with this id masks. */
export interface ExistingRow {
  readonly visible: boolean;
  readonly version: string | null;
  readonly textBytes: number;
  readonly masks: boolean;
  readonly maskedBytes: number;
}

/** State of an id that is not visible. */
export const noRow: ExistingRow = { visible: false, version: null, textBytes: 0, masks: false, maskedBytes: 0 };

export const existingFrom = (state: RowState, depth: number): ExistingRow => {
  const visible = !state.deleted;
  if (depth === 0) {
    const { masks, maskedBytes } = state;
    return { visible, version: state.version, textBytes: state.textBytes, masks, maskedBytes };
  }
  const maskedBytes = visible ? state.textBytes : 0;
  return { visible, version: state.version, textBytes: state.textBytes, masks: visible, maskedBytes };
};

/** Looks up existing rows by id. Ids without a row or tombstone are left out. */
export const lookUpExisting = async (view: View, ids: readonly string[]): Promise<Map<string, ExistingRow>> => {
  const known = new Map<string, ExistingRow>();
  let wanted = ids;
  for (const [depth, table] of view.entries()) {
    if (wanted.length === 0) break;
    for (const state of await statesOf(table, wanted)) known.set(state.id, existingFrom(state, depth));
    wanted = wanted.filter((id) => !known.has(id));
  }
  return known;
};

/** Returns the growth of the totals when rows are written over existing ones. */
export const growthOf = (stored: readonly StoredRow[], known: ReadonlyMap<string, ExistingRow>): Totals => {
  let [rows, sparseBytes] = [0, 0];
  for (const { id, row } of stored) {
    const before = known.get(id) ?? noRow;
    rows += (row === null ? 0 : 1) - (before.visible ? 1 : 0);
    sparseBytes += textBytes(row?.text ?? null) - (before.visible ? before.textBytes : 0);
  }
  return { rows, sparseBytes };
};

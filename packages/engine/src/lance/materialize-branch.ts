import { batchesOf } from '../../../../shared/kernel/batches.ts';
import { toVersioned } from '../changes/index-content.ts';
import type { IndexRef } from '../port.ts';
import { type StoredRow, textBytes } from './encode-rows.ts';
import { idsPerQuery, statesOf, type View } from './read-layers.ts';
import { fetchRows, listIds } from './read-rows.ts';

/** Bytes of vectors that are held in memory at once. */
const batchBytes = 48 * 1024 * 1024;
const maxRows = 20_000;
const minRows = 500;

/** Default number of rows that are copied at once. */
export const batchRowsOf = (dimensions: number): number =>
  Math.max(minRows, Math.min(maxRows, Math.floor(batchBytes / (dimensions * 4))));

/** Returns copies of the next rows of the ancestors that the nearest layer does not mask, in order of id. */
export const nextCopies = async (
  [own, ...ancestors]: View,
  ref: IndexRef,
  page: { readonly after: string | null; readonly limit: number },
): Promise<{ readonly copies: readonly StoredRow[]; readonly next: string | null }> => {
  if (own === undefined || ancestors.length === 0) return { copies: [], next: null };
  const { ids, next } = await listIds(ancestors, page);
  const held = new Set((await statesOf(own, ids)).map(({ id }) => id));
  const copies: StoredRow[] = [];
  for (const some of batchesOf(
    ids.filter((id) => !held.has(id)),
    idsPerQuery,
  )) {
    for (const found of await fetchRows(ancestors, some, ref, true)) {
      const row = toVersioned(found);
      const maskedBytes = textBytes(row.text);
      copies.push({ id: row.id, row, version: row.version, masks: true, maskedBytes, inherited: true });
    }
  }
  return { copies, next };
};

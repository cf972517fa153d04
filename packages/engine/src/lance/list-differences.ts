import type { Difference, DifferencePage } from '../port.ts';
import { columnOf, mapRows } from './decode-rows.ts';
import { allOf, quote } from './compile-filter.ts';
import { journalId } from './journal.ts';
import type { View } from './read-layers.ts';

/**
 * SQL for the changes of a branch itself: its rows, and the tombstones that mask rows of its parent. Copies of the
 * parent's rows, and rows that were added and removed on the branch, are no changes.
 */
export const ownChanges = `NOT inherited AND (NOT deleted OR masks) AND id <> '${journalId}'`;

/** Returns one page of the changes of a branch since its branch point, in order of id. Reads the nearest layer only. */
export const listDifferences = async (
  [own]: View,
  page: { readonly after: string | null; readonly limit: number },
): Promise<DifferencePage> => {
  if (own === undefined) return { differences: [], next: null };
  const start = page.after === null ? undefined : `id > ${quote(page.after)}`;
  const query = own
    .query()
    .where(allOf(ownChanges, start) ?? ownChanges)
    .orderBy({ columnName: 'id' })
    .limit(page.limit + 1);
  const answer = await query.select(['id', 'deleted', 'masks']).toArrow();
  const [id, deleted, masks] = [columnOf<string>(answer, 'id'), columnOf(answer, 'deleted'), columnOf(answer, 'masks')];
  const all = mapRows(answer, (position): Difference => {
    const present = masks(position) ? 'changed' : 'added';
    return { id: id(position), change: deleted(position) ? 'deleted' : present };
  });
  const differences = all.slice(0, page.limit);
  return { differences, next: all.length > page.limit ? (differences.at(-1)?.id ?? null) : null };
};

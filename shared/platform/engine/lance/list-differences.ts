import type { Difference, DifferencePage } from '../port.ts';
import { columnOf, mapRows } from './decode-rows.ts';
import { allOf, quote } from './compile-filter.ts';
import { journalId } from './journal.ts';
import type { View } from './read-layers.ts';

/**
 * SQL for what a branch itself did: its rows, and the tombstones that hide rows of its parent. Copies of the parent's rows,
 * and rows that came and went on the branch, are no difference.
 */
export const ownChanges = `NOT inherited AND (NOT deleted OR masks) AND id <> '${journalId}'`;

/** One page of what a branch did since its branch point, in order of id. The nearest layer alone tells. */
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

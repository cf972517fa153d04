import { laterBy } from '../kernel/clock.ts';
import { minuteMs } from '../kernel/durations.ts';
import { absent, present } from '../db/condition.ts';
import { dueBy, whereDueAt } from '../db/due.ts';
import type { Action, Change, Table } from '../db/contracts.ts';
import { exactSize, limitedSet } from '../db/limited-set.ts';
import { textOf } from '../db/read-item.ts';
import type { IndexWriter, NameClaim } from './contracts.ts';
import { dueIndexes } from './due-indexes.ts';
import { counting, indexKey, live, toIndexRecord } from './record.ts';
import { toItem } from './to-item.ts';

/**
 * Time until the check of a creation or deletion. It is longer than the log takes for most messages; a duplicate of a late
 * message is harmless. It is longer than any run: a run that has read the index before its deletion ends before the check.
 */
const patienceMs = 30 * minuteMs;

/** Key of the note. It is an item of its own, because the due time of the index record is used for its events. */
const noteKey = (organizationId: string, indexId: string) => ({ pk: `LIFECYCLE#${organizationId}`, sk: indexId });

const dueAt = (from: string): Date => laterBy(from, patienceMs);

/** Returns the change that notes that an index is about to be created or deleted, so that the sweep finds it. */
const noteOf = (organizationId: string, at: string): Change => ({
  set: dueBy('lifecycle', organizationId, dueAt(at)),
});

const noteLifecycle = async (table: Table, organizationId: string, indexId: string, at: string): Promise<void> => {
  await table.update(noteKey(organizationId, indexId), noteOf(organizationId, at));
};

/** Key of the last claim of a name. Neither a new name nor a deletion of its index removes it. */
const claimKey = (organizationId: string, name: string) => ({ pk: `NAMES#${organizationId}`, sk: name.toWellFormed() });

const claimAction = (organizationId: string, indexId: string, { name, former }: NameClaim): Action => ({
  update: claimKey(organizationId, name),
  change: {
    set: { index_id: indexId },
    condition: { index_id: former === null ? { exists: false } : { eq: former } },
  },
});

/** Finds indexes by their names. */
export const names = (table: Table): Pick<IndexWriter, 'named'> => ({
  named: async (organizationId, name) => {
    const claimed = textOf(await table.get(claimKey(organizationId, name)), 'index_id');
    const item = claimed === null ? null : await table.get(indexKey(organizationId, claimed));
    if (item !== null && item['name'] === name && item['status'] !== 'deleting')
      return { index: toIndexRecord(item), claimed };
    const where = { ...counting.where, name: { eq: name } };
    for await (const found of table.all(`ORG#${organizationId}`, { ...counting, where }))
      return { index: toIndexRecord(found), claimed };
    return { index: null, claimed };
  },
});

/** Opens the set of the indexes that count against the plan. */
const indexSet = (table: Table) => limitedSet(table, 'indexes', { isExact: true });

/** Returns the number of indexes that count against the plan. */
export const countIndexes = async (table: Table, organizationId: string): Promise<number> =>
  (await exactSize(table, organizationId, 'indexes')) ?? table.count(`ORG#${organizationId}`, counting);

/** Writes that add an index, before its log creates it. */
export const additions = (table: Table): Pick<IndexWriter, 'add' | 'deleteFailed'> => {
  const indexes = indexSet(table);
  return {
    add: (index, limit, claim = null) => {
      const { organizationId, id, createdAt } = index;
      const actions = [
        { put: toItem(index), condition: absent },
        { update: noteKey(organizationId, id), change: noteOf(organizationId, createdAt) },
        ...(claim === null ? [] : [claimAction(organizationId, id, claim)]),
      ];
      return indexes.add(organizationId, limit, actions, () => table.count(`ORG#${organizationId}`, counting));
    },
    deleteFailed: async (organizationId, indexId, at) => {
      await noteLifecycle(table, organizationId, indexId, at);
      const key = indexKey(organizationId, indexId);
      const isRemoved = await indexes.remove(organizationId, [{ delete: key, condition: live }]);
      if (!isRemoved) await table.delete(key);
    },
  };
};

/** Deletion of an index, and the notes for the sweep. */
export const removals = (
  table: Table,
): Pick<IndexWriter, 'markDeleting' | 'overdue' | 'postponeCheck' | 'endChecks'> => ({
  markDeleting: async (organizationId, indexId, at) => {
    await noteLifecycle(table, organizationId, indexId, at);
    const deleting = { set: { status: 'deleting', deleted_at: at }, condition: live };
    const action = { update: indexKey(organizationId, indexId), change: deleting };
    return indexSet(table).remove(organizationId, [action]);
  },
  overdue: (until, limit) => dueIndexes(table, 'lifecycle', until, limit),
  postponeCheck: async ({ organizationId, id }, at) =>
    (await table.update(noteKey(organizationId, id), {
      set: dueBy('lifecycle', organizationId, dueAt(at)),
      condition: present,
    })) !== null,
  endChecks: async ({ organizationId, id }, at) => {
    await table.delete(noteKey(organizationId, id), whereDueAt(organizationId, dueAt(at).toISOString()));
  },
});

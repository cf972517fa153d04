import type { Action, Key, Table } from './contracts.ts';
import { numberOf } from './read-item.ts';

/*
 * Sets whose number of items is limited for an organization. Each addition raises the revision of its set in the
 * transaction that stores the item, so two additions never rely on the same count.
 */

/** Number of items of a set, and the revision of the set before they were counted. */
export interface Counted {
  readonly count: number;
  readonly revision: number;
}

/** `exists`: the item was stored before. `outdated`: another item was added since the count, so nothing was stored. */
export type Added = 'added' | 'exists' | 'outdated';

/** Sets that a plan limits. */
type SetName = 'indexes' | 'members' | 'api_keys' | 'webhook_endpoints';

const revisionKey = (organizationId: string, name: SetName): Key => ({
  pk: `LIMITS#${organizationId}`,
  sk: name,
});

/** Opens a set of items of a table. */
export const limitedSet = (table: Table, name: SetName) => ({
  /** @param count Counts all items of the set by consistent reads. */
  count: async (organizationId: string, count: () => Promise<number>): Promise<Counted> => {
    const revision = numberOf(await table.get(revisionKey(organizationId, name)), 'revision');
    return { revision, count: await count() };
  },
  /**
   * Stores an item, unless another one was added since a count.
   * @param actions Stores the item and what belongs to it. If a condition does not hold, the item exists.
   */
  add: async (organizationId: string, revision: number, actions: readonly Action[]): Promise<Added> => {
    const condition = { revision: revision === 0 ? { exists: false } : { eq: revision } };
    const raise = {
      update: revisionKey(organizationId, name),
      change: { set: { revision: revision + 1 }, condition },
    };
    const failed = await table.transact([...actions, raise]);
    if (failed.some((at) => at < actions.length)) return 'exists';
    return failed.length === 0 ? 'added' : 'outdated';
  },
});

import type { Action, Key, Table } from './contracts.ts';
import { flagOf, numberOf } from './read-item.ts';

/*
 * Sets whose number of items is limited for an organization. An item of its own has an upper bound of that number, which
 * the transaction that stores an item raises. Where it reaches the limit, the items are counted. Removals of most sets do not
 * lower it. If all removals of a set do, it is the exact number once the items were counted.
 */

/** `exists`: the item was stored before. A number: the set has this many items, which is the limit or more. */
export type Added = 'added' | 'exists' | number;

/** Sets that a plan limits. */
type SetName = 'indexes' | 'members' | 'api_keys' | 'webhook_endpoints';

/** Maximum counts of one addition, while other requests keep adding items at the limit. */
const maxCounts = 8;

const boundKey = (organizationId: string, name: SetName): Key => ({ pk: `LIMITS#${organizationId}`, sk: name });

/** Returns the number of items of a set whose removals lower its bound; null if they were not counted yet. */
export const exactSize = async (table: Table, organizationId: string, name: SetName): Promise<number | null> => {
  const item = await table.get(boundKey(organizationId, name));
  return flagOf(item, 'exact') ? numberOf(item, 'bound') : null;
};

/**
 * Opens a set of items of a table.
 * @param isExact Whether all removals go through `remove`.
 */
export const limitedSet = (table: Table, name: SetName, { isExact = false }: { readonly isExact?: boolean } = {}) => ({
  /**
   * Removes an item, and lowers the bound of its set. Returns false if a condition does not hold.
   * @param actions Removes the item, on the condition that it is among those which are counted.
   */
  remove: async (organizationId: string, actions: readonly Action[]): Promise<boolean> => {
    const lower = { update: boundKey(organizationId, name), change: { add: { bound: -1, revision: 1 } } };
    return (await table.transact([...actions, lower])).length === 0;
  },
  /**
   * Stores an item, unless the set is full. Throws if other requests keep adding items meanwhile.
   * @param actions Stores the item and what belongs to it. If a condition does not hold, the item exists.
   * @param count Counts all items of the set by consistent reads.
   */
  add: async (
    organizationId: string,
    limit: number,
    actions: readonly Action[],
    count: () => Promise<number>,
  ): Promise<Added> => {
    const key = boundKey(organizationId, name);
    const raise = {
      update: key,
      change: {
        add: { bound: 1, revision: 1 },
        // The bound of a version before removals lowered it is counted once.
        condition: { bound: { lte: limit - 1 }, ...(isExact ? { exact: { eq: true } } : {}) },
      },
    } as const;
    for (let counts = 0; counts < maxCounts; counts += 1) {
      const failed = await table.transact([...actions, raise]);
      if (failed.some((at) => at < actions.length)) return 'exists';
      if (failed.length === 0) return 'added';
      const revision = numberOf(await table.get(key), 'revision');
      const items = await count();
      if (items >= limit) return items;
      // An addition or removal since the revision was read may not be among the counted items.
      const unchanged = { revision: revision === 0 ? { exists: false } : { eq: revision } } as const;
      await table.update(key, { set: { bound: items, ...(isExact ? { exact: true } : {}) }, condition: unchanged });
    }
    throw new Error(`an item could not be added to the set ${name}: others are added all the time`);
  },
});

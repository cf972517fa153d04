import type { Action, Key, Table } from './contracts.ts';
import { numberOf } from './read-item.ts';

/*
 * Sets whose number of items is limited for an organization. An item of its own has an upper bound of that number, which
 * the transaction that stores an item raises. Removals do not lower it: where it reaches the limit, the items are counted.
 */

/** `exists`: the item was stored before. A number: the set has this many items, which is the limit or more. */
export type Added = 'added' | 'exists' | number;

/** Sets that a plan limits. */
type SetName = 'indexes' | 'members' | 'api_keys' | 'webhook_endpoints';

/** Maximum counts of one addition, while other requests keep adding items at the limit. */
const maxCounts = 8;

const boundKey = (organizationId: string, name: SetName): Key => ({ pk: `LIMITS#${organizationId}`, sk: name });

/** Opens a set of items of a table. */
export const limitedSet = (table: Table, name: SetName) => ({
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
      change: { add: { bound: 1, revision: 1 }, condition: { bound: { lte: limit - 1 } } },
    } as const;
    for (let counts = 0; counts < maxCounts; counts += 1) {
      const failed = await table.transact([...actions, raise]);
      if (failed.some((at) => at < actions.length)) return 'exists';
      if (failed.length === 0) return 'added';
      const revision = numberOf(await table.get(key), 'revision');
      const items = await count();
      if (items >= limit) return items;
      // An addition since the revision was read may not be among the counted items.
      const unchanged = { revision: revision === 0 ? { exists: false } : { eq: revision } } as const;
      await table.update(key, { set: { bound: items }, condition: unchanged });
    }
    throw new Error(`an item could not be added to the set ${name}: others are added all the time`);
  },
});

import type { Item, Table } from '../db/contracts.ts';
import { numberOf, textOf } from '../db/read-item.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { minuteMs } from '../kernel/durations.ts';
import { AppError } from '../kernel/errors.ts';
import { subjectUsagePrefix } from '../kernel/names.ts';
import { estimateCostUsd } from './estimate-cost.ts';
import { monthOf } from './items.ts';
import { monthUsage } from './month-usage.ts';
import { readsOf } from './usage-ledger.ts';

/** Enforces the spending limits of organizations. */
export interface SpendingWatch {
  /**
   * Throws 402 if an organization has spent its limit of this month. The cost is that of the last minute: one request in a
   * minute adds it up, while others use the sum before.
   */
  require(organizationId: string): Promise<void>;
}

/** Sets spending limits. */
export interface SpendingLimits {
  /** @param usd Limit by calendar month; null for none. */
  set(organizationId: string, usd: number | null): Promise<void>;
}

/** Time for which a sum is used. */
const validMs = minuteMs;

const spendingKey = (organizationId: string) => ({ pk: `${subjectUsagePrefix}${organizationId}`, sk: 'SPENDING' });

/** Adds up the cost of the current month, unless another request of this minute does. Returns the newest known cost. */
const addUp = async (table: Table, organizationId: string, known: Item, now: Date): Promise<number> => {
  const month = monthOf(now.toISOString());
  const key = spendingKey(organizationId);
  const isOfMonth = textOf(known, 'month') === month;
  const before = isOfMonth ? numberOf(known, 'usd') : 0;
  const checkedAt = textOf(known, 'checked_at');
  if (isOfMonth && checkedAt !== null && now.getTime() - Date.parse(checkedAt) < validMs) return before;
  const claimed = await table.update(key, {
    set: { checked_at: now.toISOString() },
    condition: { checked_at: checkedAt === null ? { exists: false } : { eq: checkedAt } },
  });
  if (claimed === null) return before;
  const usd = estimateCostUsd(await monthUsage(readsOf(table), organizationId, now));
  await table.update(key, { set: { month, usd } });
  return usd;
};

export const spendingWatch = capability<SpendingWatch>(
  ['usage.read', 'subject_usage.read', 'subject_usage.write'],
  (runtime: Runtime) => {
    const table = openTable(runtime, 'usage');
    return {
      require: async (organizationId) => {
        const item = await table.get(spendingKey(organizationId));
        const limit = numberOf(item, 'limit_usd');
        if (item === null || limit === 0) return;
        const current = await addUp(table, organizationId, item, runtime.clock.now());
        if (current >= limit)
          throw new AppError('plan_limit_reached', `The organization has spent its limit of ${limit} USD this month`, {
            fields: { limit, current },
          });
      },
    };
  },
);

export const spendingLimits = capability<SpendingLimits>(['subject_usage.write'], (runtime) => {
  const table = openTable(runtime, 'usage');
  return {
    set: async (organizationId, usd) => {
      await table.update(spendingKey(organizationId), {
        set: { limit_usd: usd ?? 0 },
        // The next request adds up what was spent.
        remove: ['checked_at'],
      });
    },
  };
});

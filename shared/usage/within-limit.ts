import { AppError } from '../kernel/errors.ts';
import { type LimitKey, type Plan, plans } from '../kernel/plans.ts';

interface Addition {
  readonly plan: Plan;
  readonly limit: LimitKey;
  /** How many there are now. */
  readonly count: () => Promise<number>;
  /** Whether a repeat of the request finds it stored already; only for what counts at once. Default: `add` tells. */
  readonly has?: () => Promise<boolean>;
  /** Stores one more; false where a repeat of the request finds it stored already. */
  readonly add: () => Promise<boolean>;
  /** Takes back what `add` stored. */
  readonly undo: () => Promise<unknown>;
}

/** The refusal of whoever is at a limit of the plan. */
export const limitReached = (key: LimitKey, limit: number, current: number): AppError =>
  new AppError('plan_limit_reached', `The plan allows ${limit} ${key.replaceAll('_', ' ')}`, {
    fields: { limit, current },
  });

/**
 * Stores one thing more, of which a plan allows a number. Whoever raced past the first count sees the others in the second
 * and gives way, so the limit is never passed for longer than the call. Throws 402.
 */
export const addWithinLimit = async ({ plan, limit: key, count, has, add, undo }: Addition): Promise<void> => {
  const limit = plans[plan].limits[key];
  const before = await count();
  // A repeat may be the one that filled the plan.
  const isFull = before > limit || (before === limit && has !== undefined && !(await has()));
  if (isFull) throw limitReached(key, limit, before);
  if (!(await add())) return;
  const total = before < limit ? await count() : before + 1;
  if (total <= limit) return;
  await undo();
  throw limitReached(key, limit, total - 1);
};

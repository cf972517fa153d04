import { randomUUID } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';
import { type LimitKey, type Plan, plans } from '../kernel/plans.ts';

interface Addition {
  readonly plan: Plan;
  readonly limit: LimitKey;
  /** How many there are now, with those that are not kept yet. */
  readonly count: () => Promise<number>;
  /** Whether a repeat of the request finds it stored already. */
  readonly has: () => Promise<boolean>;
  /**
   * Stores one more by an attempt that is still to be kept. That attempt, or the one by which a repeat of the request has
   * stored it; null where there is nothing to decide, because it is kept already or somebody else took its place.
   */
  readonly add: (attempt: string) => Promise<string | null>;
  /** Keeps what an attempt stored. True also where it is kept already, false where it has been taken back. */
  readonly keep: (attempt: string) => Promise<boolean>;
  /** Takes back what an attempt stored. False where it is kept. */
  readonly undo: (attempt: string) => Promise<boolean>;
}

/** The refusal of whoever is at a limit of the plan. */
export const limitReached = (key: LimitKey, limit: number, current: number): AppError =>
  new AppError('plan_limit_reached', `The plan allows ${limit} ${key.replaceAll('_', ' ')}`, {
    fields: { limit, current },
  });

/**
 * Stores one thing more, of which a plan allows a number. Whoever raced past the first count sees the others in the second
 * and gives way. Only what stood there during a count within the limit is kept, so of all that are kept the last to come
 * saw the others, and the limit is never passed for longer than the call. Repeats of the request that run side by side
 * share one outcome: what one of them has kept none takes back, and what one has taken back none calls stored. Throws 402.
 */
export const addWithinLimit = async ({ plan, limit: key, count, has, add, keep, undo }: Addition): Promise<void> => {
  const limit = plans[plan].limits[key];
  const before = await count();
  // A repeat may be the one that filled the plan.
  if (before >= limit && !(await has())) throw limitReached(key, limit, before);
  const attempt = await add(randomUUID());
  if (attempt === null) return;
  const total = await count();
  if (total > limit) {
    // Others among them may have to give way as well.
    if (await undo(attempt)) throw limitReached(key, limit, limit);
  } else if (!(await keep(attempt))) {
    // Whoever took it back saw the limit passed.
    throw limitReached(key, limit, limit);
  }
};

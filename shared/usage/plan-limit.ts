import type { Added } from '../db/limited-set.ts';
import { AppError } from '../kernel/errors.ts';
import { type LimitKey, type Plan, plans } from '../kernel/plans.ts';

/** Addition of one resource that counts against a limit of the plan. */
interface Addition {
  readonly plan: Plan;
  readonly limit: LimitKey;
  /** Whether an earlier run of the request has stored the resource. */
  readonly has: () => Promise<boolean>;
  /** Stores the resource, unless there are as many as the limit. */
  readonly add: (limit: number) => Promise<Added>;
}

/** Error 402: a limit of the plan is reached. */
export const planLimitReached = (key: LimitKey, limit: number, current: number): AppError =>
  new AppError('plan_limit_reached', `The plan allows ${limit} ${key.replaceAll('_', ' ')}`, {
    fields: { limit, current },
  });

/**
 * Stores one more resource within a limit of the plan. Concurrent repeats of a request share one outcome. Returns false if
 * another resource has taken the place. Throws 402 if the limit is reached.
 */
export const addWithinPlanLimit = async ({ plan, limit: key, has, add }: Addition): Promise<boolean> => {
  const limit = plans[plan].limits[key];
  const added = await add(limit);
  if (added === 'added' || (await has())) return true;
  if (added === 'exists') return false;
  throw planLimitReached(key, limit, added);
};

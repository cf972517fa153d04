import type { Added, Counted } from '../db/limited-set.ts';
import { AppError, unavailable } from '../kernel/errors.ts';
import { type LimitKey, type Plan, plans } from '../kernel/plans.ts';
import { maxChecks, pauseAfter } from '../kernel/wait-for-others.ts';

/** Addition of one resource that counts against a limit of the plan. */
interface Addition {
  readonly plan: Plan;
  readonly limit: LimitKey;
  readonly count: () => Promise<Counted>;
  /** Whether an earlier run of the request has stored the resource. */
  readonly has: () => Promise<boolean>;
  /** Stores the resource, unless others were added since the count with this revision. */
  readonly add: (revision: number) => Promise<Added>;
}

/** Additions of other requests after which a request counts again. */
const maxOvertaken = 24;

/** Error 402: a limit of the plan is reached. */
export const planLimitReached = (key: LimitKey, limit: number, current: number): AppError =>
  new AppError('plan_limit_reached', `The plan allows ${limit} ${key.replaceAll('_', ' ')}`, {
    fields: { limit, current },
  });

/**
 * Stores one more resource within a limit of the plan. Concurrent repeats of a request share one outcome. Returns false if
 * another resource has taken the place. Throws 402 if the limit is reached, and 503 if other requests keep adding resources.
 */
export const addWithinPlanLimit = async ({ plan, limit: key, count, has, add }: Addition): Promise<boolean> => {
  const limit = plans[plan].limits[key];
  for (let overtaken = 0; overtaken < maxOvertaken; overtaken += 1) {
    const { count: current, revision } = await count();
    if (current >= limit) {
      if (await has()) return true;
      throw planLimitReached(key, limit, current);
    }
    const added = await add(revision);
    if (added !== 'outdated') return added === 'added' || has();
    await pauseAfter(Math.min(overtaken, maxChecks - 2));
  }
  throw unavailable(null, 'Other requests add the same kind of resource. Try again');
};

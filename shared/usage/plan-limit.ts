import { randomUUID } from 'node:crypto';
import type { ReservationCount } from '../db/reservation.ts';
import { AppError, unavailable } from '../kernel/errors.ts';
import { type LimitKey, type Plan, plans } from '../kernel/plans.ts';
import { maxChecks, pauseAfter } from '../kernel/wait-for-others.ts';

/** Addition of one resource that counts against a limit of the plan. */
interface Addition {
  readonly plan: Plan;
  readonly limit: LimitKey;
  /** Counts confirmed and reserved resources. */
  readonly count: () => Promise<ReservationCount>;
  /** Whether a repeat of the request finds the resource stored. */
  readonly has: () => Promise<boolean>;
  /**
   * Stores a resource as a reservation. Returns its attempt, or the attempt by which a repeat of the request has stored it.
   * Null if there is nothing to confirm: it is confirmed already, or another request has taken its name.
   */
  readonly add: (attempt: string) => Promise<string | null>;
  /** Confirms the reservation of an attempt. Returns true if it was confirmed before, false if it was cancelled. */
  readonly confirm: (attempt: string) => Promise<boolean>;
  /** Cancels the reservation of an attempt. Returns false if it is confirmed. */
  readonly cancel: (attempt: string) => Promise<boolean>;
}

/** Error 402: a limit of the plan is reached. */
export const planLimitReached = (key: LimitKey, limit: number, current: number): AppError =>
  new AppError('plan_limit_reached', `The plan allows ${limit} ${key.replaceAll('_', ' ')}`, {
    fields: { limit, current },
  });

/**
 * Confirms or cancels a reservation. Returns whether it is confirmed. If there are too many reservations, those with the
 * smallest attempt ids wait for the others to cancel. The order decides only which request waits: a reservation with a
 * small id may become visible late, so only a count within the limit confirms one.
 */
const decide = async (
  { count, confirm: keep, cancel: undo }: Addition,
  limit: number,
  attempt: string,
): Promise<boolean> => {
  for (let look = 0; ; look += 1) {
    const { kept, tentative } = await count();
    if (kept + tentative.length <= limit) return keep(attempt);
    const ahead = tentative.filter((other) => other < attempt).length;
    // If it cannot be cancelled, a repeat of the request has confirmed it.
    if (kept + ahead >= limit || look === maxChecks) return !(await undo(attempt));
    await pauseAfter(look);
  }
};

/**
 * Enforces a limit of the plan, such as that for indexes: stores one more resource within the limit. A reservation is
 * confirmed only if it was stored during a count within the limit. The last confirmed one has seen all others, so the limit
 * is never exceeded for longer than the call. Concurrent repeats of a request share one outcome: none cancels a confirmed
 * reservation, and none reports a cancelled one as stored. Throws 402 if confirmed resources have reached the limit, and
 * 503 if other reservations stay undecided.
 */
export const addWithinPlanLimit = async (addition: Addition): Promise<void> => {
  const { plan, limit: key, count, has, add } = addition;
  const limit = plans[plan].limits[key];
  for (let look = 0; look < maxChecks; look += 1) {
    const { kept, tentative } = await count();
    // An earlier run of this request may have stored the last resource.
    if (kept + tentative.length < limit || (await has())) {
      const attempt = await add(randomUUID());
      if (attempt === null || (await decide(addition, limit, attempt))) return;
    } else if (kept >= limit) {
      throw planLimitReached(key, limit, kept);
    }
    await pauseAfter(look);
  }
  throw unavailable(null, 'Other requests are using the last resources of the plan. Try again');
};

import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReservationCount } from '../db/reservation.ts';
import { AppError, unavailable } from '../kernel/errors.ts';
import { type LimitKey, type Plan, plans } from '../kernel/plans.ts';

interface Addition {
  readonly plan: Plan;
  readonly limit: LimitKey;
  /** How many there are now. */
  readonly count: () => Promise<ReservationCount>;
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

/** How often it is looked whether others have decided; the pauses of one wait last up to 2.5 seconds together. */
const looks = 7;
const shortestPauseMs = 10;

/** Lets others decide meanwhile: longer each time, and by chance, so that not all who wait come back at once. */
const pauseAfter = async (look: number): Promise<void> => {
  const ms = shortestPauseMs * 2 ** look;
  await pause(randomInt(ms, 2 * ms));
};

/**
 * Whether what an attempt stored is kept; false where it is taken back. Where too many are there tentatively, those whose
 * attempts come first in order wait for the others to give way. That order decides only who waits: as somebody who comes
 * first in it may be seen late, a place is kept by nothing but a count within the limit.
 */
const decide = async ({ count, keep, undo }: Addition, limit: number, attempt: string): Promise<boolean> => {
  for (let look = 0; ; look += 1) {
    const { kept, tentative } = await count();
    if (kept + tentative.length <= limit) return keep(attempt);
    const ahead = tentative.filter((other) => other < attempt).length;
    // What cannot be taken back any more has been kept by a repeat of the request.
    if (kept + ahead >= limit || look === looks) return !(await undo(attempt));
    await pauseAfter(look);
  }
};

/**
 * Stores one thing more, of which a plan allows a number. Only what stood there during a count within the limit is kept, so
 * of all that are kept the last to come saw the others, and the limit is never passed for longer than the call. Repeats of
 * the request that run side by side share one outcome: what one of them has kept none takes back, and what one has taken
 * back none calls stored. Throws 402 where what is kept has reached the limit, and 503 where others stay undecided.
 */
export const addWithinLimit = async (addition: Addition): Promise<void> => {
  const { plan, limit: key, count, has, add } = addition;
  const limit = plans[plan].limits[key];
  for (let look = 0; look < looks; look += 1) {
    const { kept, tentative } = await count();
    // A repeat may be the one that filled the plan.
    if (kept + tentative.length < limit || (await has())) {
      const attempt = await add(randomUUID());
      if (attempt === null || (await decide(addition, limit, attempt))) return;
    } else if (kept >= limit) {
      throw limitReached(key, limit, kept);
    }
    await pauseAfter(look);
  }
  throw unavailable(null, 'Others are taking the last places of the plan, try again');
};

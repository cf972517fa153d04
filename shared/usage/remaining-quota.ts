import type { AppError } from '../kernel/errors.ts';
import { laterBy } from '../kernel/clock.ts';
import { minuteMs } from '../kernel/durations.ts';
import { type Plan, plans } from '../kernel/plans.ts';
import type { UsageReader } from './contracts.ts';
import { planLimitReached } from './plan-limit.ts';
import type { Room } from './usage-counters.ts';

/** Vectors that a plan allows, and the current number, with those that other indexes have leased. */
export interface VectorQuota {
  readonly limit: number;
  readonly current: number;
}

/** Remaining vector quota of one index, given the vectors of the others. */
export interface RemainingQuota {
  readonly quota: VectorQuota;
  /** Maximum total rows of the index. Growth is not used, because a run may have died between a commit and the ledger. */
  readonly maxRows: number;
}

interface Holder {
  readonly organizationId: string;
  readonly plan: Plan;
}

/** Share of the free vectors of an organization that an index leases at a time, and the milliseconds of a lease. */
const roomShare = 0.01;
const roomMs = minuteMs;

/**
 * Returns the remaining vector quota of an index, and a lease of room for its next commits. Rows that another index holds or
 * has leased are not free, so that leases exceed the quota only if several indexes lease at the same time.
 */
export const remainingQuotaOf = async (
  usage: Pick<UsageReader, 'stored'>,
  { organizationId, plan }: Holder,
  indexId: string,
  now: Date,
): Promise<RemainingQuota & { readonly room: Room }> => {
  const { vectors, byIndex } = await usage.stored(organizationId);
  const limit = plans[plan].limits.vectors;
  const own = byIndex.get(indexId)?.vectors ?? 0;
  const leased = byIndex
    .entries()
    .filter(([id, { room }]) => id !== indexId && room !== null && room.until > now.toISOString())
    .reduce((sum, [, held]) => sum + Math.max(0, (held.room?.rows ?? 0) - held.vectors), 0);
  const maxRows = limit - vectors - leased + own;
  const block = Math.floor(Math.max(0, maxRows - own) * roomShare);
  return {
    quota: { limit, current: vectors + leased },
    maxRows,
    room: { rows: own + block, until: laterBy(now, roomMs).toISOString() },
  };
};

/** Whether leased room has place for rows. */
export const hasRoom = (room: Room | null, rows: number, now: Date): boolean =>
  room !== null && room.until > now.toISOString() && rows <= room.rows;

/** Error for vectors beyond the quota. */
export const vectorLimitReached = ({ limit, current }: VectorQuota): AppError =>
  planLimitReached('vectors', limit, current);

/**
 * Throws 402 if the remaining quota is too small for vectors.
 * @param written Number of vectors to write.
 * @param countNew Returns how many of them are new. Called only if the quota is too small for all of them.
 */
export const requireVectorQuota = async (
  usage: Pick<UsageReader, 'stored'>,
  { organizationId, plan }: Holder,
  written: number,
  countNew: () => Promise<number> = () => Promise.resolve(written),
): Promise<void> => {
  const { vectors: current } = await usage.stored(organizationId);
  const { vectors: limit } = plans[plan].limits;
  if (current + written <= limit) return;
  if (current + (await countNew()) > limit) throw vectorLimitReached({ limit, current });
};

import type { AppError } from '../kernel/errors.ts';
import { type Plan, plans } from '../kernel/plans.ts';
import type { UsageReader } from './contracts.ts';
import { planLimitReached } from './plan-limit.ts';

/** Vectors that a plan allows, and the current number. */
export interface VectorQuota {
  readonly limit: number;
  readonly current: number;
}

/** Remaining vector quota of one index, given the vectors of the others. */
export interface RemainingQuota {
  readonly quota: VectorQuota;
  /** Maximum total rows. Growth is not used, because a run may have died between a commit and the ledger. */
  readonly maxRows: number;
}

interface Holder {
  readonly organizationId: string;
  readonly plan: Plan;
}

/** Returns the remaining vector quota of an index, by the usage ledger of its organization. */
export const remainingQuotaOf = async (
  usage: Pick<UsageReader, 'stored'>,
  { organizationId, plan }: Holder,
  indexId: string,
): Promise<RemainingQuota> => {
  const { vectors, byIndex } = await usage.stored(organizationId);
  const limit = plans[plan].limits.vectors;
  return { quota: { limit, current: vectors }, maxRows: limit - vectors + (byIndex.get(indexId)?.vectors ?? 0) };
};

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

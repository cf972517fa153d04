import type { AppError } from '../kernel/errors.ts';
import { type Plan, plans } from '../kernel/plans.ts';
import type { UsageReader } from './contracts.ts';
import { limitReached } from './within-limit.ts';

/** Vectors that a plan allows, and the current number. */
export interface VectorRoom {
  readonly limit: number;
  readonly current: number;
}

/** Remaining vector quota of one index, given the vectors of the others. */
export interface IndexRoom {
  readonly room: VectorRoom;
  /** Maximum total rows. Growth is not used, because a run may have died between a commit and the ledger. */
  readonly mostRows: number;
}

interface Holder {
  readonly organizationId: string;
  readonly plan: Plan;
}

/** Returns the remaining vector quota of an index, by the usage ledger of its organization. */
export const roomForIndex = async (
  usage: Pick<UsageReader, 'stored'>,
  { organizationId, plan }: Holder,
  indexId: string,
): Promise<IndexRoom> => {
  const { vectors, byIndex } = await usage.stored(organizationId);
  const limit = plans[plan].limits.vectors;
  return { room: { limit, current: vectors }, mostRows: limit - vectors + (byIndex.get(indexId)?.vectors ?? 0) };
};

/** Error for vectors beyond the quota. */
export const noRoomForVectors = ({ limit, current }: VectorRoom): AppError => limitReached('vectors', limit, current);

/**
 * Throws 402 if the remaining quota is too small for vectors.
 * @param written Number of vectors to write.
 * @param countNew Returns how many of them are new. Called only if the quota is too small for all of them.
 */
export const requireRoomForVectors = async (
  usage: Pick<UsageReader, 'stored'>,
  { organizationId, plan }: Holder,
  written: number,
  countNew: () => Promise<number> = () => Promise.resolve(written),
): Promise<void> => {
  const { vectors: current } = await usage.stored(organizationId);
  const { vectors: limit } = plans[plan].limits;
  if (current + written <= limit) return;
  if (current + (await countNew()) > limit) throw noRoomForVectors({ limit, current });
};

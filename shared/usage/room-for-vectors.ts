import type { AppError } from '../kernel/errors.ts';
import { type Plan, plans } from '../kernel/plans.ts';
import type { UsageReader } from './contracts.ts';
import { limitReached } from './within-limit.ts';

/** The vectors that a plan allows, and how many there are. */
export interface VectorRoom {
  readonly limit: number;
  readonly current: number;
}

/** What one index may hold beside what the others do. */
export interface IndexRoom {
  readonly room: VectorRoom;
  /** Not what it may grow by: a run may have died between a commit and the books. */
  readonly mostRows: number;
}

interface Holder {
  readonly organizationId: string;
  readonly plan: Plan;
}

/** What the plan of an organization has room for in one of its indexes, by its books. */
export const roomForIndex = async (
  usage: Pick<UsageReader, 'stored'>,
  { organizationId, plan }: Holder,
  indexId: string,
): Promise<IndexRoom> => {
  const { vectors, byIndex } = await usage.stored(organizationId);
  const limit = plans[plan].limits.vectors;
  return { room: { limit, current: vectors }, mostRows: limit - vectors + (byIndex.get(indexId)?.vectors ?? 0) };
};

/** The refusal of vectors that the plan has no room for. */
export const noRoomForVectors = ({ limit, current }: VectorRoom): AppError => limitReached('vectors', limit, current);

/**
 * Refuses vectors for which the plan has no room. Throws 402.
 * @param written how many are written.
 * @param countNew returns how many of them are new, and is called only if there is no room for all of them.
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

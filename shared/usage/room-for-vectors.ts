import type { AppError } from '../kernel/errors.ts';
import { type Plan, plans } from '../kernel/plans.ts';
import { minuteMs } from '../kernel/durations.ts';
import type { Stored, UsageReader } from './contracts.ts';
import { lateMs } from './recently-stored.ts';
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

type Books = Pick<UsageReader, 'stored' | 'storedLately'>;

/** Most vectors that requests can write while what is remembered of the books grows old. */
const mostMeanwhile = (plan: Plan): number =>
  (plans[plan].rateLimits.vector_writes * plans[plan].limits.max_vectors_per_request * lateMs) / minuteMs;

/** The books of an organization: as they were a moment ago where its plan has room for more than was written since. */
const booksOf = async (usage: Books, { organizationId, plan }: Holder): Promise<Stored> => {
  const lately = usage.storedLately(organizationId);
  const fits = lately !== null && lately.vectors + mostMeanwhile(plan) <= plans[plan].limits.vectors;
  return fits ? lately : usage.stored(organizationId);
};

/** What the plan of an organization has room for in one of its indexes, by its books. */
export const roomForIndex = async (usage: Books, holder: Holder, indexId: string): Promise<IndexRoom> => {
  const { vectors, vectorsIn } = await booksOf(usage, holder);
  const limit = plans[holder.plan].limits.vectors;
  return { room: { limit, current: vectors }, mostRows: limit - vectors + (vectorsIn.get(indexId) ?? 0) };
};

/** The refusal of vectors that the plan has no room for. */
export const noRoomForVectors = ({ limit, current }: VectorRoom): AppError => limitReached('vectors', limit, current);

/** Refuses so many new vectors where the plan has no room for them. Throws 402. */
export const requireRoomForVectors = async (usage: Books, holder: Holder, added: number): Promise<void> => {
  const { vectors: current } = await booksOf(usage, holder);
  const { vectors: limit } = plans[holder.plan].limits;
  if (current + added > limit) throw noRoomForVectors({ limit, current });
};

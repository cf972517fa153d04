import type { AppError } from '../kernel/errors.ts';
import { type Plan, plans } from '../kernel/plans.ts';
import type { UsageReader } from './contracts.ts';
import { limitReached } from './within-limit.ts';

/** The vectors that a plan allows, and how many there are. */
export interface VectorRoom {
  readonly limit: number;
  readonly current: number;
}

interface Holder {
  readonly organizationId: string;
  readonly plan: Plan;
}

/** What an organization has room for. */
export const roomForVectors = async (
  usage: Pick<UsageReader, 'stored'>,
  { organizationId, plan }: Holder,
): Promise<VectorRoom> => {
  const { vectors } = await usage.stored(organizationId);
  return { limit: plans[plan].limits.vectors, current: vectors };
};

/** The refusal of vectors that the plan has no room for. */
export const noRoomForVectors = ({ limit, current }: VectorRoom): AppError => limitReached('vectors', limit, current);

/** Refuses so many new vectors where the plan has no room for them. Throws 402. */
export const requireRoomForVectors = async (
  usage: Pick<UsageReader, 'stored'>,
  holder: Holder,
  added: number,
): Promise<void> => {
  const room = await roomForVectors(usage, holder);
  if (room.current + added > room.limit) throw noRoomForVectors(room);
};

import { type Plan, plans } from '../kernel/plans.ts';
import type { UsageReader } from './contracts.ts';
import { limitReached } from './within-limit.ts';

/** Refuses vectors that the plan has no room for; each counts as a new one. Throws 402. */
export const requireRoomForVectors = async (
  usage: Pick<UsageReader, 'stored'>,
  { organizationId, plan }: { readonly organizationId: string; readonly plan: Plan },
  added: number,
): Promise<void> => {
  const limit = plans[plan].limits.vectors;
  const { vectors } = await usage.stored(organizationId);
  if (vectors + added > limit) throw limitReached('vectors', limit, vectors);
};

import type { indexesWrite, logSend } from '../../../../shared/indexes/index.ts';
import type { Deps } from '../../../../shared/kernel/capability.ts';
import { lookAtEach, maxLookedAt } from '../../../../shared/pipeline/look-at-each.ts';

type SweepDeps = Deps<{ indexes: typeof indexesWrite; log: typeof logSend }>;

/**
 * Requests maintenance of indexes with deleted content, so that it is purged from their tables even without further
 * writes.
 */
export const sweepLeftovers = async ({ indexes, log }: SweepDeps, now: Date): Promise<void> => {
  await lookAtEach(await indexes.leftovers(now, maxLookedAt), async (address) => {
    const left = await indexes.lookAtLeftovers(address, now.toISOString());
    if (left === null) return;
    const index = await indexes.get(address.organizationId, address.id);
    if (index?.status === 'ready') await log.append(index, { op: 'maintain' });
    if (left <= 0) await indexes.forgetLeftovers(address);
  });
};

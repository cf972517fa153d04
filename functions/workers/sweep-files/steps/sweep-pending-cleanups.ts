import type { indexesWrite, logSend } from '../../../../shared/indexes/index.ts';
import type { Deps } from '../../../../shared/kernel/capability.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';

type SweepDeps = Deps<{ indexes: typeof indexesWrite; log: typeof logSend }>;

/**
 * Requests maintenance of indexes with deleted content, so that it is purged from their tables even without further
 * writes.
 */
export const sweepPendingCleanups = async ({ indexes, log }: SweepDeps, now: Date): Promise<void> => {
  await processBatch(await indexes.dueCleanups(now, maxBatchItems), async (address) => {
    const left = await indexes.claimCleanup(address, now.toISOString());
    if (left === null) return;
    const index = await indexes.get(address.organizationId, address.id);
    if (index?.status === 'ready') await log.append(index, { op: 'maintain' });
    if (left <= 0) await indexes.endCleanups(address);
  });
};

import type { buildsSend, indexesWrite } from '../../../../shared/indexes/index.ts';
import type { Deps } from '../../../../shared/kernel/capability.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';

type SweepDeps = Deps<{ indexes: typeof indexesWrite; builds: typeof buildsSend }>;

/**
 * Requests maintenance of indexes with removed content, so that it is purged from their files, and of those whose writes
 * have paused, so that searches read their rows from the table. Neither depends on further writes.
 */
export const sweepMaintenance = async ({ indexes, builds }: SweepDeps, now: Date): Promise<void> => {
  await processBatch(await indexes.dueMaintenance(now, maxBatchItems), async ({ work, ...address }) => {
    const left = work === 'purge' ? await indexes.claimCleanup(address, now.toISOString()) : 0;
    if (left === null) return;
    const index = await indexes.get(address.organizationId, address.id);
    if (index?.status === 'ready') await builds.request(index, work);
    if (work === 'paused') await indexes.endFold(address, now.toISOString());
    else if (left <= 0) await indexes.endCleanups(address);
  });
};

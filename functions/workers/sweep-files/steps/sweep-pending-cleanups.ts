import type { buildsSend, indexesWrite } from '../../../../shared/indexes/index.ts';
import type { Deps } from '../../../../shared/kernel/capability.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';

type SweepDeps = Deps<{ indexes: typeof indexesWrite; builds: typeof buildsSend }>;

/** Requests maintenance of indexes with removed content, so that it is purged from their files even without further writes. */
export const sweepPendingCleanups = async ({ indexes, builds }: SweepDeps, now: Date): Promise<void> => {
  await processBatch(await indexes.dueCleanups(now, maxBatchItems), async (address) => {
    const left = await indexes.claimCleanup(address, now.toISOString());
    if (left === null) return;
    const index = await indexes.get(address.organizationId, address.id);
    if (index?.status === 'ready') await builds.request(index, true);
    if (left <= 0) await indexes.endCleanups(address);
  });
};

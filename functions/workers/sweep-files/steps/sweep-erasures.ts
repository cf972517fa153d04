import { erasureAddressAt, type erasureStore } from '../../../../shared/erasures/index.ts';
import type { deletionsSend } from '../../../../shared/indexes/index.ts';
import type { Deps } from '../../../../shared/kernel/capability.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';

type SweepDeps = Deps<{ erasures: typeof erasureStore; deletions: typeof deletionsSend }>;

/** Has the worker look again into what is left of erasures. */
export const sweepErasures = async ({ erasures, deletions }: SweepDeps, now: Date): Promise<void> => {
  await processBatch(await erasures.overdue(now, maxBatchItems), async (key) => {
    const address = erasureAddressAt(key);
    const found = await erasures.postpone(address, now);
    if (found === null) return;
    const { organizationId, indexId: id, region } = found;
    await deletions.send({ organizationId, id, region }, found.id);
  });
};

import type { Deps } from '../../../../shared/kernel/capability.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';
import { rebuildAddressAt, type rebuildsSend, type rebuildStore } from '../../../../shared/rebuilds/index.ts';

type SweepDeps = Deps<{ rebuilds: typeof rebuildStore; rebuildQueue: typeof rebuildsSend }>;

/** Continues each rebuild that has not ended. One that runs drops the message. */
export const sweepRebuilds = async ({ rebuilds, rebuildQueue }: SweepDeps, now: Date): Promise<void> => {
  await processBatch(await rebuilds.overdue(now, maxBatchItems), async (key) => {
    const address = rebuildAddressAt(key);
    const found = await rebuilds.postpone(address, now);
    if (found !== null) await rebuildQueue.send(found.region, address);
  });
};

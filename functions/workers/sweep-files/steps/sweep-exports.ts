import type { Deps } from '../../../../shared/kernel/capability.ts';
import { exportAddressAt, type exportsSend, type exportStore } from '../../../../shared/exports/index.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';

type SweepDeps = Deps<{ exports: typeof exportStore; exportQueue: typeof exportsSend }>;

/** Resends the message of each export without progress. */
export const sweepExports = async ({ exports, exportQueue }: SweepDeps, now: Date): Promise<void> => {
  await processBatch(await exports.overdue(now, maxBatchItems), async (key) => {
    const address = exportAddressAt(key);
    const found = await exports.postpone(address, now.toISOString());
    if (found !== null) await exportQueue.send(found.region, address);
  });
};

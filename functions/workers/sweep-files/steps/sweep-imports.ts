import type { Deps } from '../../../../shared/kernel/capability.ts';
import type { filesWrite } from '../../../../shared/files/index.ts';
import { importAddressAt, type importsSend, type importsSweep } from '../../../../shared/imports/index.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';

type SweepDeps = Deps<{ files: typeof filesWrite; imports: typeof importsSweep; importQueue: typeof importsSend }>;

/** Resends the message of each overdue import. An import whose job is missing is deleted. */
export const sweepImports = async ({ files, imports, importQueue }: SweepDeps, now: Date): Promise<void> => {
  await processBatch(await imports.overdue(now, maxBatchItems), async (key) => {
    const address = importAddressAt(key);
    const job = await files.get(address);
    if (job === null) await imports.delete(address);
    else if (await imports.postponeCheck(address, now.toISOString())) await importQueue.send(job.region, address);
  });
};

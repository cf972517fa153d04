import type { Deps } from '../../../../shared/kernel/capability.ts';
import type { uploadsSweep } from '../../../../shared/openai-files/index.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';

type SweepDeps = Deps<{ uploads: typeof uploadsSweep }>;

/** Ends uploads in parts that were neither completed nor cancelled in time. */
export const sweepUploads = async ({ uploads }: SweepDeps, now: Date): Promise<void> => {
  await processBatch(await uploads.overdue(now, maxBatchItems), (key) => uploads.expire(key));
};

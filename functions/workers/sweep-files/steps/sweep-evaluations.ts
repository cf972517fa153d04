import type { Deps } from '../../../../shared/kernel/capability.ts';
import {
  evaluationAddressAt,
  type evaluationsSend,
  type evaluationsWrite,
} from '../../../../shared/evaluations/index.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';

type SweepDeps = Deps<{ evaluations: typeof evaluationsWrite; evaluationQueue: typeof evaluationsSend }>;

/** Resends the message of each evaluation without progress. */
export const sweepEvaluations = async ({ evaluations, evaluationQueue }: SweepDeps, now: Date): Promise<void> => {
  await processBatch(await evaluations.overdue(now, maxBatchItems), async (key) => {
    const address = evaluationAddressAt(key);
    const found = await evaluations.postpone(address, now.toISOString());
    if (found !== null) await evaluationQueue.send(found.region, address);
  });
};

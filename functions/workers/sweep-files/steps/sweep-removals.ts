import { resumeRemoval, jobAddressAt, type removeJobsUses } from '../../../../shared/files/index.ts';
import type { Deps } from '../../../../shared/kernel/capability.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';

type SweepDeps = Deps<
  Omit<typeof removeJobsUses, 'content' | 'waits' | 'subjectUsage'> & { stored: typeof removeJobsUses.content }
>;

/** Continues overdue removals of jobs, and begins those of jobs that have expired. */
export const sweepRemovals = async (deps: SweepDeps, now: Date): Promise<void> => {
  await processBatch(await deps.files.overdue('removals', now, maxBatchItems), async (key) => {
    const address = jobAddressAt(key);
    const note = await deps.files.postponeRemovalCheck(address, now.toISOString());
    if (note !== null) await resumeRemoval({ ...deps, content: deps.stored }, address, note.receiptId, now);
  });
};

import { goOnRemoving, jobAddressAt, type removeJobsUses } from '../../../../shared/files/index.ts';
import type { Deps } from '../../../../shared/kernel/capability.ts';
import { lookAtEach, maxLookedAt } from '../../../../shared/pipeline/look-at-each.ts';

type SweepDeps = Deps<Omit<typeof removeJobsUses, 'content' | 'waits'> & { stored: typeof removeJobsUses.content }>;

/** Goes on with deletions of jobs that whoever began them did not see to their end. */
export const sweepRemovals = async (deps: SweepDeps, now: Date): Promise<void> => {
  await lookAtEach(await deps.files.overdue('removals', now, maxLookedAt), async (key) => {
    const address = jobAddressAt(key);
    const receiptId = await deps.files.remindRemoval(address, now.toISOString());
    if (receiptId !== null) await goOnRemoving({ ...deps, content: deps.stored }, address, receiptId, now);
  });
};

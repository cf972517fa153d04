import {
  type buildsSend,
  type IndexRecord,
  type indexesWrite,
  isPurge,
  type logSend,
} from '../../../../shared/indexes/index.ts';
import { laterBy } from '../../../../shared/kernel/clock.ts';
import { hourMs } from '../../../../shared/kernel/durations.ts';
import type { Deps } from '../../../../shared/kernel/capability.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';

type SweepDeps = Deps<{ indexes: typeof indexesWrite; builds: typeof buildsSend; log: typeof logSend }>;

/** Time after which the removal of expired rows is requested again. */
const repeatMs = hourMs;

/** Requests in the log of an index the removal of rows that have expired. */
const sweepExpiry = async (
  { indexes, log }: SweepDeps,
  index: IndexRecord | null,
  address: { readonly organizationId: string; readonly id: string },
  now: Date,
): Promise<void> => {
  if (index?.status !== 'ready' || index.expiresFrom === null) {
    await indexes.endExpiry(address);
    return;
  }
  const isDue = index.expiresFrom <= now.toISOString();
  const next = isDue ? laterBy(now, repeatMs).toISOString() : index.expiresFrom;
  await indexes.noteExpiry(address.organizationId, address.id, next);
  if (isDue) await log.append(index, { op: 'expire', until: now.getTime() });
};

/**
 * Requests maintenance of indexes with removed content, so that it is purged from their files, and of those whose writes
 * have paused, so that searches read their rows from the table. Requests the removal of expired rows. None of it depends on
 * further writes.
 */
export const sweepMaintenance = async (deps: SweepDeps, now: Date): Promise<void> => {
  const { indexes, builds } = deps;
  await processBatch(await indexes.dueMaintenance(now, maxBatchItems), async ({ work, ...address }) => {
    const index = await indexes.get(address.organizationId, address.id);
    if (work === 'expiry') {
      await sweepExpiry(deps, index, address, now);
      return;
    }
    const left = work === 'purge' ? await indexes.claimCleanup(address, now.toISOString()) : 0;
    if (left === null) return;
    if (index?.status === 'ready') {
      const isMore = work === 'purge' && !isPurge(left, index.versionDays);
      await builds.request(index, isMore ? 'due' : work);
    }
    if (work === 'paused') await indexes.endFold(address, now.toISOString());
    else if (left <= 0) await indexes.endCleanups(address);
  });
};

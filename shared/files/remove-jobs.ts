import type { Attributes } from '../db/contracts.ts';
import { fileExpired, fillSlot, recordEvents } from '../events/index.ts';
import { awaitReceipt, changeIndexUses, isLive } from '../indexes/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Deps } from '../kernel/capability.ts';
import { jobPrefixes } from '../kernel/content-keys.ts';
import { AppError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { contentWriter } from '../platform/aws/content.ts';
import { cancelIfOpen } from './end-job.ts';
import { originalAllowance } from '../usage/index.ts';
import { filesWrite } from './repository.ts';
import { addressOfJob, type JobAddress, type JobRecord } from './record.ts';

/** Capabilities that removing jobs needs. */
export const removeJobsUses = {
  ...changeIndexUses,
  files: filesWrite,
  events: recordEvents('files'),
  content: contentWriter({ deletes: ['uploads', 'batches'] }),
  originals: originalAllowance,
};

type RemoveDeps = Deps<typeof removeJobsUses>;

/** Deletes a job without rows: its file, derived objects, tasks and record. Repeatable. */
export const purgeJob = async (
  deps: Pick<RemoveDeps, 'content' | 'files' | 'events' | 'originals'>,
  job: JobRecord,
): Promise<void> => {
  const address = addressOfJob(job);
  for (const prefix of jobPrefixes(address)) await deps.content.deleteAll(job.region, prefix);
  await deps.originals.release(job.organizationId, job.id);
  await deps.files.remove(address, deps.events);
};

const indexOf = ({ organizationId, indexId, region }: JobRecord) => ({ organizationId, id: indexId, region });

/** Hides a job that has ended and requests the removal of its rows. The sweep continues after a crash. */
const requestRemoval = async (
  { files, log }: Pick<RemoveDeps, 'files' | 'log'>,
  job: JobRecord,
  receiptId: string,
  { at, isRepeat = false, event }: { readonly at: string; readonly isRepeat?: boolean; readonly event?: Attributes },
): Promise<void> => {
  await files.beginRemoval(addressOfJob(job), { receiptId, at, ...(event === undefined ? {} : { event }) });
  await log.append(indexOf(job), { op: 'remove_job', job_id: job.id, counted: true }, receiptId, { isRepeat });
};

const finishRemoval = async (deps: Omit<RemoveDeps, 'waits' | 'subjectUsage'>, job: JobRecord): Promise<void> => {
  await purgeJob(deps, job);
  await deps.files.deleteRemovalNote(addressOfJob(job));
};

/** Waits until the rows are removed. Throws 429 at once if too many wait already. */
const awaitIfRoom = async (deps: RemoveDeps, job: JobRecord, receiptId: string, spentMs: number): Promise<void> => {
  await deps.waits.requireBelowLimit(indexOf(job));
  await awaitReceipt(deps, indexOf(job), receiptId, spentMs);
};

/** Waits for a receipt; false if it did not arrive in time. */
const arrivedInTime = async (receipt: Promise<unknown>): Promise<boolean> => {
  try {
    await receipt;
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
};

/**
 * Removes jobs of one index with their files and rows, after cancelling open ones. Repeatable. Throws 409 if one is
 * just replacing another job.
 * @param startedMs Start of the request, by `performance.now()`.
 * @returns Whether no search finds a row. If the index does not commit in time, the jobs are hidden, and the sweep
 * completes the removal.
 */
export const removeJobs = async (
  deps: RemoveDeps,
  jobs: readonly JobRecord[],
  clock: Clock,
  startedMs: number = performance.now(),
): Promise<boolean> => {
  const begun: { readonly job: JobRecord; readonly receiptId: string }[] = [];
  for (const job of jobs) {
    await cancelIfOpen(deps, job, clock);
    const now = clock.now();
    // Each call has a new receipt, since a receipt is kept for a day and may contain an error.
    const receiptId = newId('rcp', now);
    await requestRemoval(deps, job, receiptId, { at: now.toISOString() });
    begun.push({ job, receiptId });
  }
  let late = 0;
  for (const { job, receiptId } of begun) {
    const receipt = awaitIfRoom(deps, job, receiptId, performance.now() - startedMs);
    if (await arrivedInTime(receipt)) await finishRemoval(deps, job);
    else late += 1;
  }
  return late === 0;
};

/** Begins the removal of a job, after cancelling an open one. The sweep completes it. */
export const beginRemoval = async (
  deps: Omit<RemoveDeps, 'waits' | 'subjectUsage' | 'content'>,
  job: JobRecord,
  clock: Clock,
): Promise<void> => {
  await cancelIfOpen(deps, job, clock);
  const now = clock.now();
  await requestRemoval(deps, job, newId('rcp', now), { at: now.toISOString() });
};

/** Begins the removal of a job that has expired, after cancelling an open one, with its event in the same write. */
const removeExpired = async (
  deps: Omit<RemoveDeps, 'waits' | 'subjectUsage'>,
  job: JobRecord,
  now: Date,
): Promise<void> => {
  await cancelIfOpen(deps, job, { now: () => now });
  const { organizationId, id, indexId, filename } = job;
  const event = fillSlot(
    'updated',
    fileExpired({ at: now, organizationId, job: { id, index_id: indexId, filename, expired_at: job.expiresAt ?? '' } }),
  );
  await requestRemoval(deps, job, newId('rcp', now), { at: now.toISOString(), event });
};

/**
 * Continues a removal. A job whose rows are gone is deleted; a request that the log lost or refused is repeated.
 * @param receiptId Null: the job has expired, and its removal begins.
 */
export const resumeRemoval = async (
  deps: Omit<RemoveDeps, 'waits' | 'subjectUsage'>,
  address: JobAddress,
  receiptId: string | null,
  now: Date,
): Promise<void> => {
  const [job, index] = await Promise.all([
    deps.files.get(address),
    deps.indexes.get(address.organizationId, address.indexId),
  ]);
  // The deletion of an index removes the rest.
  if (job === null || !isLive(index)) {
    await deps.files.deleteRemovalNote(address);
    return;
  }
  if (receiptId === null) {
    await removeExpired(deps, job, now);
    return;
  }
  const receipt = await deps.indexes.receipt(address.organizationId, index.id, receiptId);
  if (receipt?.error === null) await finishRemoval(deps, job);
  else if (receipt === null) await requestRemoval(deps, job, receiptId, { at: now.toISOString(), isRepeat: true });
  else await requestRemoval(deps, job, newId('rcp', now), { at: now.toISOString() });
};

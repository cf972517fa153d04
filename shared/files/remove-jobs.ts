import { recordEvents } from '../events/index.ts';
import { awaitReceipt, changeIndexUses, isLive } from '../indexes/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Deps } from '../kernel/capability.ts';
import { jobPrefixes } from '../kernel/content-keys.ts';
import { AppError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { contentWriter } from '../platform/aws/content.ts';
import { settleJob } from './cancel.ts';
import { filesWrite } from './capabilities.ts';
import { addressOfJob, type JobAddress, type JobRecord } from './record.ts';

/** What removing jobs may touch. */
export const removeJobsUses = {
  ...changeIndexUses,
  files: filesWrite,
  events: recordEvents('files'),
  content: contentWriter({ deletes: ['uploads', 'batches'] }),
};

type RemoveDeps = Deps<typeof removeJobsUses>;

/** Forgets a job that has no rows: its file, what was made of it, its tasks and its record. May be repeated. */
export const forgetJob = async (
  deps: Pick<RemoveDeps, 'content' | 'files' | 'events'>,
  job: JobRecord,
): Promise<void> => {
  const address = addressOfJob(job);
  for (const prefix of jobPrefixes(address)) await deps.content.deleteAll(job.region, prefix);
  await deps.files.remove(address, deps.events);
};

const indexOf = ({ organizationId, indexId, region }: JobRecord) => ({ organizationId, id: indexId, region });

/** Hides a job that has ended and asks for the removal of its rows. Whoever dies after that leaves the rest to the sweep. */
const begin = async (
  { files, log }: Pick<RemoveDeps, 'files' | 'log'>,
  job: JobRecord,
  receiptId: string,
  { at, isRepeat = false }: { readonly at: string; readonly isRepeat?: boolean },
): Promise<void> => {
  await files.beginRemoval(addressOfJob(job), { receiptId, at });
  await log.append(indexOf(job), { op: 'remove_job', job_id: job.id, counted: true }, receiptId, { isRepeat });
};

const end = async (deps: Omit<RemoveDeps, 'waits'>, job: JobRecord): Promise<void> => {
  await forgetJob(deps, job);
  await deps.files.forgetRemoval(addressOfJob(job));
};

/** Waits until the rows are removed. Throws 429 at once if too many wait already. */
const awaitIfRoom = async (deps: RemoveDeps, job: JobRecord, receiptId: string, spentMs: number): Promise<void> => {
  await deps.waits.requireRoom(indexOf(job));
  await awaitReceipt(deps, indexOf(job), receiptId, spentMs);
};

/** Whether the rows were removed in time. */
const inTime = async (receipt: Promise<unknown>): Promise<boolean> => {
  try {
    await receipt;
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
};

/**
 * Removes jobs of one index with their files and rows for good, after those that have not ended were cancelled; may be
 * repeated. Throws 409 where one is just taking the place of another job.
 * @param startedMs When the request began, by `performance.now()`.
 * @returns Whether no search finds a row any more. Where the index does not get to that in time, nobody sees the jobs
 *   themselves any more, and the rest follows by itself.
 */
export const removeJobs = async (
  deps: RemoveDeps,
  jobs: readonly JobRecord[],
  clock: Clock,
  startedMs: number = performance.now(),
): Promise<boolean> => {
  const begun: { readonly job: JobRecord; readonly receiptId: string }[] = [];
  for (const job of jobs) {
    await settleJob(deps, job, clock);
    const now = clock.now();
    // Each call asks anew, because an answer is kept for a day and may have been a refusal.
    const receiptId = newId('rcp', now);
    await begin(deps, job, receiptId, { at: now.toISOString() });
    begun.push({ job, receiptId });
  }
  let late = 0;
  for (const { job, receiptId } of begun) {
    const receipt = awaitIfRoom(deps, job, receiptId, performance.now() - startedMs);
    if (await inTime(receipt)) await end(deps, job);
    else late += 1;
  }
  return late === 0;
};

/**
 * Brings a removal that somebody began to its end, or a step nearer to it: a job whose rows are gone is forgotten, and what
 * the log has lost or refused is asked for again.
 */
export const goOnRemoving = async (
  deps: Omit<RemoveDeps, 'waits'>,
  address: JobAddress,
  receiptId: string,
  now: Date,
): Promise<void> => {
  const [job, index] = await Promise.all([
    deps.files.get(address),
    deps.indexes.get(address.organizationId, address.indexId),
  ]);
  // What is left of an index that is being deleted goes with it.
  if (job === null || !isLive(index)) {
    await deps.files.forgetRemoval(address);
    return;
  }
  const receipt = await deps.indexes.receipt(address.organizationId, index.id, receiptId);
  if (receipt?.error === null) await end(deps, job);
  else if (receipt === null) await begin(deps, job, receiptId, { at: now.toISOString(), isRepeat: true });
  else await begin(deps, job, newId('rcp', now), { at: now.toISOString() });
};

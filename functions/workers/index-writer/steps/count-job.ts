import {
  addressOfJob,
  completeJob,
  endedEmpty,
  type JobAddress,
  type JobRecord,
  settleEndedTasks,
  toProcessing,
} from '../../../../shared/files/index.ts';
import { holdingOf, type IndexRecord } from '../../../../shared/indexes/index.ts';
import type { Processing } from '../../../../shared/pipeline/processing.ts';
import { type Account, countJob, monthOf, nothingHeld } from '../../../../shared/usage/index.ts';
import type { Writing } from './writing.ts';

/** Brings the books of the organization up to date with an index as it has been saved; null where it is gone. */
export const keepBooks = async ({ deps }: Writing, saved: IndexRecord | null, at: string): Promise<void> => {
  if (saved === null) return;
  // One that is being deleted still counts what its jobs have used.
  const held = saved.status === 'deleting' ? nothingHeld : holdingOf(saved);
  await deps.usage.saveIndex(saved, held, saved.usage, at);
};

/**
 * Ends the month of an account in the books, before it is changed in a later one: the run that changed it last may have
 * died before its figures were there, and they belong to neither month then.
 */
export const endMonth = async (writing: Writing, index: IndexRecord, at: string): Promise<void> => {
  const { month } = index.usage;
  if (month !== '' && month < monthOf(at)) await keepBooks(writing, index, at);
};

/** Changes the account of an index by what was used besides commits, and brings the books up to date with it. */
export const addToAccount = async (
  writing: Writing,
  index: IndexRecord,
  at: string,
  add: (account: Parameters<typeof countJob>[0]) => Account,
): Promise<void> => {
  await endMonth(writing, index, at);
  const usage = add({ usage: index.usage, held: holdingOf(index) });
  await keepBooks(writing, await writing.deps.indexes.saveUsage(index.organizationId, index.id, usage), at);
};

/**
 * What a counted job tells of its processing: what the event of its end has told, which stays as it is. Of one that was
 * cancelled there is no event, and it tells what its tasks came to, which may have read on until they were closed.
 */
const toldOf = ({ status, processing }: JobRecord, used: Processing): Processing => {
  if (processing === null) return used;
  const { serverless_invocations, end_to_end_latency_ms } = processing;
  return status === 'cancelled' ? { ...used, serverless_invocations, end_to_end_latency_ms } : processing;
};

/**
 * Adds what a job used to the account of its index, once. The account remembers the job until the job itself says that it
 * has been counted; the writer of the index counts one job after the other.
 */
const countOnce = async (writing: Writing, job: JobRecord): Promise<void> => {
  const { deps, run } = writing;
  const index = await deps.indexes.get(job.organizationId, job.indexId);
  if (job.counted || index === null) return;
  const tasks = await deps.files.tasks(job.organizationId, job.id);
  const at = run.clock.now().toISOString();
  await settleEndedTasks(deps.credits, tasks);
  const processing = toProcessing(job, tasks, at);
  const told = toldOf(job, processing);
  const pages = processing.path.reduce((sum, { attributes }) => sum + Number(attributes['pages'] ?? 0), 0);
  const used = {
    vectors_written: job.vectorsWritten,
    pages,
    ocr_credits: processing.ocr_credits,
    audio_credits: processing.audio_credits,
    audio_seconds: processing.audio_seconds,
    embedding_tokens: tasks.reduce((sum, { tokens }) => sum + tokens, 0),
    serverless_invocations: told.serverless_invocations,
  };
  await addToAccount(writing, index, at, (account) => countJob(account, job.id, used, at));
  await deps.files.markCounted(addressOfJob(job), told);
};

/** Counts what a job used, once, where it is still there. */
export const countEndedJob = async (writing: Writing, address: JobAddress): Promise<void> => {
  const job = await writing.deps.files.get(address);
  if (job !== null) await countOnce(writing, job);
};

/** Ends a job whose every row is committed, and counts what it used. */
export const endJob = async (writing: Writing, job: JobRecord): Promise<void> => {
  const { deps, run } = writing;
  await completeJob(deps, job, run.clock);
  const ended = await deps.files.get(addressOfJob(job));
  if (ended !== null && !endedEmpty(ended)) await countOnce(writing, ended);
};

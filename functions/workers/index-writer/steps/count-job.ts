import {
  addressOfJob,
  completeJob,
  endedWithoutContent,
  type JobAddress,
  type JobRecord,
  keepsOriginal,
  settleEndedTasks,
  toProcessing,
} from '../../../../shared/files/index.ts';
import type { Processing } from '../../../../shared/pipeline/processing.ts';
import { addUsage } from './update-ledger.ts';
import type { Writing } from '../uses.ts';

/**
 * Returns the processing figures of a counted job. The figures of its final event stay as they are. A cancelled job has no
 * such event, so it gets the figures of its tasks, which may have run on until they were closed.
 */
const finalProcessing = ({ status, processing }: JobRecord, used: Processing): Processing => {
  if (processing === null) return used;
  const { serverless_invocations, end_to_end_latency_ms } = processing;
  return status === 'cancelled' ? { ...used, serverless_invocations, end_to_end_latency_ms } : processing;
};

/**
 * Adds the usage of a job to the counters of its index, once. The counters remember the job until it is marked as counted.
 * The writer of the index counts one job after another.
 */
const countJob = async (writing: Writing, job: JobRecord): Promise<void> => {
  const { deps, run } = writing;
  const index = await deps.indexes.get(job.organizationId, job.indexId);
  if (job.counted || index === null) return;
  const tasks = await deps.files.tasks(job.organizationId, job.id);
  const at = run.clock.now().toISOString();
  await settleEndedTasks(deps.quota, tasks);
  const processing = toProcessing(job, tasks, at);
  const told = finalProcessing(job, processing);
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
  const originalBytes = keepsOriginal(job) ? (job.sizeBytes ?? 0) : 0;
  if (keepsOriginal(job)) await deps.originals.keep(job.organizationId, job.id, originalBytes);
  else await deps.originals.release(job.organizationId, job.id);
  await addUsage(writing, index, { id: job.id, used, originalBytes }, at);
  await deps.files.markCounted(addressOfJob(job), told, originalBytes);
};

/**
 * Removes the original of a job from the allowance and from the counters of its index, once. The counters remember it until the job notes that its
 * original is not counted any more.
 */
export const uncountOriginal = async (writing: Writing, address: JobAddress): Promise<void> => {
  const { deps, run } = writing;
  await deps.originals.release(address.organizationId, address.jobId);
  const [job, index] = await Promise.all([
    deps.files.get(address),
    deps.indexes.get(address.organizationId, address.indexId),
  ]);
  if (job === null || index === null || job.originalCounted === 0) return;
  const taken = { id: `${job.id}-original`, used: {}, originalBytes: -job.originalCounted };
  await addUsage(writing, index, taken, run.clock.now().toISOString());
  await deps.files.noteOriginalUncounted(address);
};

/** Deletes the original of a superseded job. Idempotent. */
export const dropSuperseded = async (writing: Writing, address: JobAddress): Promise<void> => {
  const job = await writing.deps.files.get(address);
  if (job?.status !== 'superseded') return;
  await uncountOriginal(writing, address);
  await writing.deps.stored.deleteAll(job.region, job.objectKey);
};

/** Counts the usage of a job, once, if the job still exists. */
export const countEndedJob = async (writing: Writing, address: JobAddress): Promise<void> => {
  const job = await writing.deps.files.get(address);
  if (job !== null) await countJob(writing, job);
};

/** Completes a job whose rows are all committed, and counts its usage. */
export const endJob = async (writing: Writing, job: JobRecord): Promise<void> => {
  const { deps, run } = writing;
  await completeJob(deps, job, run.clock);
  const ended = await deps.files.get(addressOfJob(job));
  if (ended !== null && !endedWithoutContent(ended)) await countJob(writing, ended);
};

import type { recordEvents } from '../events/index.ts';
import {
  bytesOfText,
  addressOfJob,
  completeJob,
  endedWithoutContent,
  type filesWrite,
  type JobAddress,
  type JobRecord,
  keepsOriginal,
  settleEndedTasks,
  toProcessing,
} from '../files/index.ts';
import { subjectsOfMetadata } from '../indexes/index.ts';
import type { Deps } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Processing } from '../pipeline/processing.ts';
import type { ContentWriter } from '../platform/aws/objects.ts';
import { type monthlyQuota, type originalAllowance, subjectsOf, type subjectUsageWrite } from '../usage/index.ts';
import { type CountDeps, countOnce } from './count-usage.ts';

/** Capabilities that counting a job needs. */
export type CountJobDeps = CountDeps &
  Deps<{
    files: typeof filesWrite;
    quota: typeof monthlyQuota;
    originals: typeof originalAllowance;
    subjectUsage: typeof subjectUsageWrite;
  }>;

/**
 * Returns the processing figures of a counted job. The figures of its final event stay as they are. A cancelled job has no
 * such event, so it gets the figures of its tasks, which may have run on until they were closed.
 */
const finalProcessing = ({ status, processing }: JobRecord, used: Processing): Processing => {
  if (processing === null) return used;
  const { serverless_invocations, end_to_end_latency_ms } = processing;
  return status === 'cancelled' ? { ...used, serverless_invocations, end_to_end_latency_ms } : processing;
};

/** Counts the usage of an ended job, once, if the job exists. */
export const countJob = (
  deps: CountJobDeps,
  address: JobAddress,
  clock: Clock,
  isCountable: (job: JobRecord) => boolean = () => true,
): Promise<void> => {
  const { files, quota, originals, subjectUsage } = deps;
  const at = clock.now().toISOString();
  return countOnce(deps, address, address.jobId, at, async (index) => {
    const job = await files.get(address);
    if (job === null || job.counted || !isCountable(job)) return null;
    const tasks = await files.tasks(job.organizationId, job.id);
    await settleEndedTasks(quota, tasks);
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
    const textBytes = tasks.reduce((sum, { text }) => sum + bytesOfText(text), 0);
    const originalBytes = keepsOriginal(job) ? (job.sizeBytes ?? 0) + textBytes : 0;
    if (keepsOriginal(job)) await originals.keep(job.organizationId, job.id, originalBytes);
    else await originals.release(job.organizationId, job.id);
    const markCounted = async (): Promise<void> => {
      const { organizationId, id } = job;
      await Promise.all([
        subjectUsage.addOnce(organizationId, subjectsOf(job.createdBy), used, `${id}-end`),
        subjectUsage.addOnce(organizationId, subjectsOfMetadata(index, job.metadata), { ...used, file_jobs: 1 }, id),
      ]);
      await files.markCounted(address, told, originalBytes);
    };
    return { used, originalBytes, markCounted };
  });
};

/** Removes the original of a job from the allowance and from the counters of its index, once. */
export const uncountOriginal = async (deps: CountJobDeps, address: JobAddress, clock: Clock): Promise<void> => {
  const { files, originals } = deps;
  await originals.release(address.organizationId, address.jobId);
  await countOnce(deps, address, `${address.jobId}-original`, clock.now().toISOString(), async () => {
    const bytes = (await files.get(address))?.originalCounted ?? 0;
    return bytes === 0 ? null : { originalBytes: -bytes, markCounted: () => files.noteOriginalUncounted(address) };
  });
};

/** Deletes the original of a superseded job. Idempotent. */
export const dropSuperseded = async (
  deps: CountJobDeps & { readonly stored: Pick<ContentWriter, 'deleteAll'> },
  address: JobAddress,
  clock: Clock,
): Promise<void> => {
  const job = await deps.files.get(address);
  if (job?.status !== 'superseded') return;
  await uncountOriginal(deps, address, clock);
  await deps.stored.deleteAll(job.region, job.objectKey);
};

/** Completes a job whose rows are all committed, and counts its usage. */
export const endJob = async (
  deps: CountJobDeps & Deps<{ events: ReturnType<typeof recordEvents> }>,
  job: JobRecord,
  clock: Clock,
): Promise<void> => {
  await completeJob(deps, job, clock);
  // The usage of a job without content is counted with the removal of its rows.
  await countJob(deps, addressOfJob(job), clock, (ended) => !endedWithoutContent(ended));
};

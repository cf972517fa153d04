import { uploadKey } from '../../../../shared/kernel/content-keys.ts';
import { plans } from '../../../../shared/kernel/plans.ts';
import { quotaJobOf, failJob, type JobAddress, type JobRecord, sourceFileOf } from '../../../../shared/files/index.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import type { ErrorReason } from '../../../../shared/pipeline/processing.ts';
import { isPicture } from '../../../../shared/platform/extract/formats.ts';
import { type Inspection, UnreadableFile } from '../../../../shared/platform/extract/port.ts';
import { quotaTooSmall } from '../../../../shared/usage/index.ts';
import type { Planning } from '../uses.ts';

// What the run needs once the file is inspected, to write and send its tasks.
const reserveMs = 30_000;

/** Makes the failure of a job final and takes back the rows that it may have written. */
export const endAsFailed = async (
  { deps, run }: Planning,
  address: JobAddress,
  error: string,
  code: ErrorReason = 'processing_failed',
): Promise<void> => {
  const job = await deps.files.noteInvocation(address, run.invocationId);
  if (job === null) return;
  await failJob(deps, job, { error, code }, run.clock);
};

/**
 * Why the month's allowance cannot do for a file of pictures, of which each is recognized as a whole; null where it can, or where its tasks alone
 * will know what it needs. Nothing is taken: others may be quicker, and then a task finds too few.
 */
const shortageOf = async (
  { deps }: Planning,
  job: JobRecord,
  { format, units }: Inspection,
  limit: number,
): Promise<string | null> => {
  if (!isPicture(format) || !deps.recognizes) return null;
  const left = await deps.quota.left(quotaJobOf({ organizationId: job.organizationId, jobId: job.id }), 'ocr', limit);
  return units > left ? quotaTooSmall('The file', 'ocr', { needed: units, left, limit }) : null;
};

/**
 * The job's file as the extractor sees it; null where it cannot be worked on, and then the job has ended.
 * @param etag Of the file as it lies there. The store verifies the checksum of all of it here, and once for a job.
 */
export const inspectFile = async (
  planning: Planning,
  job: JobRecord,
  address: JobAddress,
  etag: string | undefined,
): Promise<Inspection | null> => {
  const { deps, run } = planning;
  const { limits } = plans[await planOf(deps.organizations, job.organizationId)];
  if ((job.sizeBytes ?? 0) > limits.max_file_bytes) {
    // Before the job ends, since no run comes back to it. A later object at the key is deleted because of the note.
    await deps.files.noteOriginalDropped(address);
    await deps.stored.deleteAll(job.region, uploadKey(address));
    const error = `The file has ${job.sizeBytes} bytes, the plan allows ${limits.max_file_bytes}`;
    await endAsFailed(planning, address, error);
    return null;
  }
  const bytes = await deps.content.get(job.region, job.objectKey, { etag });
  if (bytes === null) {
    await endAsFailed(planning, address, 'The uploaded file is gone');
    return null;
  }
  try {
    const inspection = await deps.extractor.inspect(sourceFileOf(job, bytes), run.remainingMs() - reserveMs);
    const shortage = await shortageOf(planning, job, inspection, limits.ocr_credits_per_month);
    if (shortage === null) return inspection;
    await endAsFailed(planning, address, shortage, 'multimodal_credit_limit_reached');
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    await endAsFailed(planning, address, error.message);
  }
  return null;
};

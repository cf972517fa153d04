import { uploadKey } from '../../../../shared/kernel/content-keys.ts';
import { plans } from '../../../../shared/kernel/plans.ts';
import { quotaJobOf, failJob, type JobAddress, type JobRecord, sourceFileOf } from '../../../../shared/files/index.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import type { ErrorReason } from '../../../../shared/pipeline/processing.ts';
import { isPicture, type Inspection, UnreadableFile } from '#documents';
import { quotaTooSmall } from '../../../../shared/usage/index.ts';
import type { PlanContext } from '../uses.ts';

// Time that the run needs after the inspection, to write and send the tasks.
const reserveMs = 30_000;

/** Fails a job and removes rows that it may have written. */
export const failJobAt = async (
  { deps, run }: PlanContext,
  address: JobAddress,
  error: string,
  code: ErrorReason = 'processing_failed',
): Promise<void> => {
  const job = await deps.files.noteInvocation(address, run.invocationId);
  if (job === null) return;
  await failJob(deps, job, { error, code }, run.clock);
};

/**
 * Error if the monthly quota is too small for a file in which each picture needs OCR. Null if it suffices, or if only
 * the tasks can determine their need. Nothing is reserved: if others use the quota first, a task fails.
 */
const shortageOf = async (
  { deps }: PlanContext,
  job: JobRecord,
  { format, units }: Inspection,
  limit: number,
): Promise<string | null> => {
  if (!isPicture(format) || !deps.ocrEnabled) return null;
  const left = await deps.quota.left(quotaJobOf({ organizationId: job.organizationId, jobId: job.id }), 'ocr', limit);
  return units > left ? quotaTooSmall('The file', 'ocr', { needed: units, left, limit }) : null;
};

/**
 * Inspects the job's file; null if it cannot be processed, and then the job has ended.
 * @param etag ETag of the stored file. The store verifies its checksum here, once for a job.
 */
export const inspectFile = async (
  context: PlanContext,
  job: JobRecord,
  address: JobAddress,
  etag: string | undefined,
): Promise<Inspection | null> => {
  const { deps, run } = context;
  const { limits } = plans[await planOf(deps.organizations, job.organizationId)];
  if ((job.sizeBytes ?? 0) > limits.max_file_bytes) {
    // First, since no run returns to an ended job. Because of the note, a later object at the key is deleted.
    await deps.files.noteOriginalDropped(address);
    await deps.stored.deleteAll(job.region, uploadKey(address));
    const error = `The file has ${job.sizeBytes} bytes, the plan allows ${limits.max_file_bytes}`;
    await failJobAt(context, address, error);
    return null;
  }
  const bytes = await deps.content.get(job.region, job.objectKey, { etag });
  if (bytes === null) {
    await failJobAt(context, address, 'The uploaded file no longer exists');
    return null;
  }
  try {
    const inspection = await deps.extractor.inspect(sourceFileOf(job, bytes), run.remainingMs() - reserveMs);
    const shortage = await shortageOf(context, job, inspection, limits.ocr_credits_per_month);
    if (shortage === null) return inspection;
    await failJobAt(context, address, shortage, 'multimodal_credit_limit_reached');
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    await failJobAt(context, address, error.message);
  }
  return null;
};

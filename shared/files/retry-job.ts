import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { indexesRead, requireModel, requireReadyIndex } from '../indexes/index.ts';
import type { Deps } from '../kernel/capability.ts';
import { AppError } from '../kernel/errors.ts';
import { uploadCopy } from '../platform/aws/content.ts';
import { embeddingModelsKnown } from '../platform/models/model-names.ts';
import { countedCredential, originalAllowance, spendingWatch, subjectUsageWrite, usageWrite } from '../usage/index.ts';
import { keepsOriginal } from './job-state.ts';
import { newJob } from './new-job.ts';
import { addressOfJob, type JobRecord } from './record.ts';
import { filesWrite } from './repository.ts';
import { copyToJob, storeJob } from './start-upload.ts';

/** Capabilities that processing a file again needs. */
export const retryJobUses = {
  indexes: indexesRead,
  files: filesWrite,
  content: uploadCopy,
  usage: usageWrite,
  models: embeddingModelsKnown,
  originals: originalAllowance,
  subjectUsage: subjectUsageWrite,
  spending: spendingWatch,
};

interface Retry {
  readonly deps: Deps<typeof retryJobUses>;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
}

const requireRetryable = (job: JobRecord): void => {
  if (job.source === 'crawl' || job.source === 'connector')
    throw new AppError('conflict', `The file belongs to a ${job.source}, whose next run reads it again`);
  if (!keepsOriginal(job)) throw new AppError('conflict', `The file of a job that is ${job.status} is not stored`);
  if (!job.counted) throw new AppError('conflict', 'The job is still being cleaned up. Try again in a few seconds');
};

/** Creates a job with a copy of the file of an ended job, which it replaces. Repeatable. Throws 402 and 409. */
export const retryJob = async ({ deps, caller, idempotency }: Retry, job: JobRecord): Promise<JobRecord> => {
  requireModel(deps.models, await requireReadyIndex(deps.indexes, job.organizationId, job.indexId));
  const retry = newJob({
    ...job,
    id: idempotency.id('job'),
    status: 'awaiting_upload',
    replacesJobId: job.id,
    createdBy: countedCredential(caller),
    createdAt: idempotency.at.toISOString(),
  });
  const known = await deps.files.get(addressOfJob(retry));
  if (known !== null && known.status !== 'awaiting_upload') return known;
  requireRetryable(job);
  await deps.files.recordName(retry);
  await storeJob({ deps, caller }, retry, job, job.sizeBytes ?? 0);
  // The copy is announced like an upload.
  await copyToJob(deps, retry, { region: job.region, key: job.objectKey });
  return retry;
};

import type * as z from 'zod';
import type { Deps, Uses } from '../kernel/capability.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { indexesRead, requireGrowableIndex, requireReadyIndex } from '../indexes/index.ts';
import { contentPresign, contentWriter, originalCopy } from '../platform/aws/content.ts';
import { plans } from '../kernel/plans.ts';
import { planLimitReached, requireVectorQuota, usageWrite } from '../usage/index.ts';
import { filesWrite } from './repository.ts';
import type { FileReader } from './contracts.ts';
import { newJob } from './new-job.ts';
import { toJobResponse } from './present.ts';
import { addressOfJob, type JobRecord } from './record.ts';
import type { FileJobResponse } from './schemas.ts';
import { checksumAsBase64, type FileUploadCreate, type FileUploadResponse, uploadSeconds } from './upload.ts';

/** Capabilities that starting an upload needs. */
export const startUploadUses = {
  indexes: indexesRead,
  files: filesWrite,
  content: contentPresign,
  usage: usageWrite,
};

interface Start<U extends Uses> {
  readonly deps: Deps<U>;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
}

/**
 * Reserves a file job from the plan's quota, unless an earlier call of the same creation has stored the job. A
 * replacement may need no additional vectors. Throws 402.
 */
export const reserveJob = async (
  deps: { readonly files: FileReader; readonly usage: Deps<typeof startUploadUses>['usage'] },
  caller: Pick<Principal, 'organizationId' | 'plan'>,
  job: JobRecord,
): Promise<void> => {
  if ((await deps.files.get(addressOfJob(job))) !== null) return;
  if (job.replacesJobId === null) await requireVectorQuota(deps.usage, caller, 1);
  const { organizationId, indexId } = job;
  await deps.usage.reserveFileJob(organizationId, caller.plan, {
    id: job.id,
    indexId,
    at: new Date(job.createdAt),
    isStored: async (other) =>
      (await deps.files.get({ organizationId, indexId: other.indexId, jobId: other.id })) !== null,
  });
};

/** Throws 402 if a file has more bytes than the plan allows. */
export const requireAllowedSize = ({ plan }: Pick<Principal, 'plan'>, sizeBytes: number): void => {
  const limit = plans[plan].limits.max_file_bytes;
  if (sizeBytes > limit) throw planLimitReached('max_file_bytes', limit, sizeBytes);
};

/** Creates a job that awaits its file. Throws 402, 404 and 409. */
const createJob = async (
  { deps, caller, idempotency }: Start<Pick<typeof startUploadUses, 'indexes' | 'files' | 'usage'>>,
  indexId: string,
  body: z.output<typeof FileUploadCreate>,
  replacesJobId: string | null,
): Promise<JobRecord> => {
  const sizeBytes = body.size_bytes ?? null;
  if (sizeBytes !== null) requireAllowedSize(caller, sizeBytes);
  const require = replacesJobId === null ? requireGrowableIndex : requireReadyIndex;
  const index = await require(deps.indexes, caller.organizationId, indexId);
  const job = newJob({
    id: idempotency.id('job'),
    organizationId: caller.organizationId,
    indexId: index.id,
    region: index.region,
    filename: body.filename,
    contentType: body.content_type,
    source: 'upload',
    status: 'awaiting_upload',
    checksumSha256: body.checksum_sha256 ?? null,
    metadata: body.metadata,
    replacesJobId,
    createdAt: idempotency.at.toISOString(),
  });
  await reserveJob(deps, caller, job);
  await deps.files.add(job);
  return job;
};

/** Creates a job that awaits its upload, and returns the upload URL. Throws 402, 404 and 409. */
export const startUpload = async (
  start: Start<typeof startUploadUses>,
  indexId: string,
  body: z.output<typeof FileUploadCreate>,
  replacesJobId: string | null,
): Promise<z.input<typeof FileUploadResponse>> => {
  const job = await createJob(start, indexId, body, replacesJobId);
  const upload = await start.deps.content.presignPut(job.region, {
    key: job.objectKey,
    contentType: body.content_type,
    sha256: job.checksumSha256 === null ? null : checksumAsBase64(job.checksumSha256),
    sizeBytes: body.size_bytes ?? null,
    expiresInSeconds: uploadSeconds,
  });
  return {
    id: job.id,
    upload_url: upload.url,
    upload_headers: { ...upload.headers },
    object_key: job.objectKey,
    replaces_job_id: replacesJobId,
    expires_in_seconds: uploadSeconds,
  };
};

/** Capabilities that adding a text needs. */
export const addTextUses = {
  indexes: indexesRead,
  files: filesWrite,
  content: contentWriter({ puts: ['uploads'] }),
  usage: usageWrite,
};

/**
 * Creates a job, and stores a text as its file, which starts the job like an upload. If the file is not stored, the job ends
 * like one whose file never arrives. Throws 402, 404 and 409.
 */
export const addText = async (
  start: Start<typeof addTextUses>,
  indexId: string,
  body: z.output<typeof FileUploadCreate>,
  text: string,
): Promise<FileJobResponse> => {
  const bytes = Buffer.from(text.toWellFormed());
  const job = await createJob(start, indexId, { ...body, size_bytes: bytes.length }, null);
  await start.deps.content.put(job.region, job.objectKey, bytes, body.content_type);
  return toJobResponse(job);
};

/** Capabilities that adding a stored file needs. */
export const addCopyUses = { indexes: indexesRead, files: filesWrite, content: originalCopy, usage: usageWrite };

/** Creates a job with a copy of a stored file, which starts the job like an upload. Throws 402, 404 and 409. */
export const addCopy = async (
  start: Start<typeof addCopyUses>,
  indexId: string,
  body: z.output<typeof FileUploadCreate>,
  source: { readonly region: string; readonly key: string },
): Promise<FileJobResponse> => {
  const job = await createJob(start, indexId, body, null);
  await start.deps.content.copy(job.region, { from: source.key, fromRegion: source.region, to: job.objectKey });
  return toJobResponse(job);
};

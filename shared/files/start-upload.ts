import type * as z from 'zod';
import type { Deps, Uses } from '../kernel/capability.ts';
import { expiryText } from '../http/expiry.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { type IndexRecord, indexesRead, requireModel, requireNotFull, requireReadyIndex } from '../indexes/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError, unavailable } from '../kernel/errors.ts';
import { maxChecks, pauseAfter } from '../kernel/wait-for-others.ts';
import { contentPresign, contentWriter, originalCopy } from '../platform/aws/content.ts';
import { plans } from '../kernel/plans.ts';
import { embeddingModelsKnown } from '../platform/models/model-names.ts';
import {
  type OriginalAllowance,
  originalAllowance,
  planLimitReached,
  requireVectorQuota,
  countedCredential,
  subjectsOf,
  type SpendingWatch,
  spendingWatch,
  subjectUsageWrite,
  usageWrite,
} from '../usage/index.ts';
import { filesWrite } from './repository.ts';
import type { FileReader } from './contracts.ts';
import { expireJob } from './end-job.ts';
import { findDuplicate } from './find-duplicate.ts';
import { newJob } from './new-job.ts';
import { toJobResponse } from './present.ts';
import { isCompleted } from './job-state.ts';
import { addressOfJob, type JobRecord } from './record.ts';
import type { FileJobResponse } from './schemas.ts';
import {
  checksumAsBase64,
  type FileReplacement,
  type FileUploadCreate,
  type FileUploadResponse,
  type OnDuplicate,
  uploadSeconds,
} from './upload.ts';

/** Capabilities that starting an upload needs. */
export const startUploadUses = {
  indexes: indexesRead,
  files: filesWrite,
  content: contentPresign,
  usage: usageWrite,
  models: embeddingModelsKnown,
  originals: originalAllowance,
  subjectUsage: subjectUsageWrite,
  spending: spendingWatch,
};

interface Start<U extends Uses> {
  readonly deps: Deps<U>;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
  /** SHA-256 of the token whose caller gets the upload URL; null if the service stores the file. */
  readonly uploader?: string | null;
}

/** Capabilities that reserving a job from the plan needs. */
export interface ReserveDeps {
  readonly files: FileReader;
  readonly usage: Deps<typeof startUploadUses>['usage'];
  readonly originals: OriginalAllowance;
  readonly subjectUsage: Deps<typeof startUploadUses>['subjectUsage'];
  readonly spending: SpendingWatch;
}

/**
 * Reserves a file job and its original from the plan, unless an earlier call of the same creation has stored the job. A
 * replacement may need no additional vectors. Throws 402.
 * @param bytes Size of the file, or the maximum if it is not known.
 * @returns Function to call when the job is stored.
 */
export const reserveJob = async (
  deps: ReserveDeps,
  caller: Pick<Principal, 'organizationId' | 'plan'>,
  job: JobRecord,
  bytes: number,
): Promise<() => Promise<void>> => {
  if ((await deps.files.get(addressOfJob(job))) !== null) return () => Promise.resolve();
  await deps.spending.require(caller.organizationId);
  if (job.replacesJobId === null) await requireVectorQuota(deps.usage, caller, 1);
  const { organizationId, indexId, id } = job;
  const isStored = async (other: { readonly id: string; readonly indexId: string }): Promise<boolean> =>
    (await deps.files.get({ organizationId, indexId: other.indexId, jobId: other.id })) !== null;
  const confirm = await deps.originals.reserve(caller.plan, {
    organizationId,
    id,
    indexId,
    bytes,
    isStored: async (other) => (other.indexId === null ? null : isStored({ id: other.id, indexId: other.indexId })),
  });
  try {
    await deps.usage.reserveFileJob(organizationId, caller.plan, {
      id,
      indexId,
      at: new Date(job.createdAt),
      isStored,
    });
  } catch (error) {
    await deps.originals.release(organizationId, id);
    throw error;
  }
  await deps.subjectUsage.addOnce(organizationId, subjectsOf(job.createdBy), { file_jobs: 1 }, id);
  return confirm;
};

/** Throws 402 if a file has more bytes than the plan allows. */
export const requireAllowedSize = ({ plan }: Pick<Principal, 'plan'>, sizeBytes: number): void => {
  const limit = plans[plan].limits.max_file_bytes;
  if (sizeBytes > limit) throw planLimitReached('max_file_bytes', limit, sizeBytes);
};

type CreateDeps = Pick<
  typeof startUploadUses,
  'indexes' | 'files' | 'usage' | 'originals' | 'subjectUsage' | 'spending' | 'models'
>;

/**
 * Stores a job whose name is recorded. The record is removed if the plan refuses the job. Throws 402.
 * @param replaced Job that it replaces, which may be an unfinished replacement; null if it replaces none.
 * @param bytes Size of its file, or the maximum if it is not known.
 */
export const storeJob = async (
  { deps, caller }: Pick<Start<Omit<CreateDeps, 'indexes' | 'models'>>, 'deps' | 'caller'>,
  job: JobRecord,
  replaced: JobRecord | null,
  bytes: number,
): Promise<void> => {
  const reserved = reserveJob(deps, caller, job, bytes);
  const confirm = await reserved.catch(async (error: unknown) => {
    await deps.files.forgetName(job);
    throw error;
  });
  if (replaced !== null && replaced.replacesJobId !== null && !isCompleted(replaced))
    await deps.files.notePredecessor(addressOfJob(replaced), replaced.replacesJobId);
  await deps.files.add(job);
  await confirm();
};

/** Returns the job of a file that awaits it, and the bytes to reserve. Throws 402, 404 and 409. */
const newUpload = async (
  { deps, caller, idempotency, uploader = null }: Start<CreateDeps>,
  indexId: string,
  body: FileReplacement,
  replacesJobId: string | null,
): Promise<{ readonly index: IndexRecord; readonly job: JobRecord; readonly bytes: number }> => {
  const bytes = body.size_bytes ?? plans[caller.plan].limits.max_file_bytes;
  requireAllowedSize(caller, bytes);
  const index = await requireReadyIndex(deps.indexes, caller.organizationId, indexId);
  requireModel(deps.models, index);
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
    embeds: body.embed ?? false,
    createdBy: countedCredential(caller),
    replacesJobId,
    createdAt: idempotency.at.toISOString(),
    expiresAt: expiryText(body, idempotency.at, index.ttlSeconds),
  });
  return { index, job: { ...job, uploader }, bytes };
};

/** Creates a job that awaits its file, beside others of the same name. Throws 402, 404 and 409. */
const createJob = async (
  start: Start<CreateDeps>,
  indexId: string,
  body: FileReplacement,
  replacesJobId: string | null,
): Promise<JobRecord> => {
  const { deps } = start;
  const { index, job, bytes } = await newUpload(start, indexId, body, replacesJobId);
  if (replacesJobId === null) requireNotFull(deps.indexes, index);
  await deps.files.recordName(job);
  await storeJob(start, job, null, bytes);
  return job;
};

/**
 * Creates a job unless a file of the same name exists, or creates one that replaces that. Of concurrent requests, one
 * records its job after the others, and finds theirs. Throws 402, 404 and 409, and 503 if another request does not decide.
 * @returns The created job, or the existing one.
 */
const createUnlessDuplicate = async (
  start: Start<CreateDeps> & { readonly clock: Clock },
  indexId: string,
  body: FileReplacement,
  onDuplicate: Exclude<OnDuplicate, 'keep'>,
): Promise<JobRecord> => {
  const { deps, clock } = start;
  const { index, job, bytes } = await newUpload(start, indexId, body, null);
  const stored = await deps.files.get(addressOfJob(job));
  if (stored !== null) return stored;
  for (let check = 0; check < maxChecks; check += 1) {
    const named = await deps.files.jobsNamed(job);
    const found = await findDuplicate(deps.files, job, onDuplicate, named, clock);
    if (found !== 'undecided') {
      if (found !== null && onDuplicate === 'skip') return found;
      if (found === null) requireNotFull(deps.indexes, index);
      const created = { ...job, replacesJobId: found?.id ?? null };
      if (await deps.files.recordName(created, named)) {
        await storeJob(start, created, found, bytes);
        return created;
      }
    }
    await pauseAfter(check);
  }
  throw unavailable(null, 'Another request is creating a file job of the same name. Try again', 1);
};

/** Returns a start whose caller gets the upload URL. */
const withUploader = <S extends Start<typeof startUploadUses>>(start: S): S => ({
  ...start,
  uploader: start.caller.credentialHash,
});

/** Returns the URL at which a job awaits its upload. */
const presignUpload = async (
  content: Deps<typeof startUploadUses>['content'],
  job: JobRecord,
  sizeBytes: number | null,
): Promise<z.input<typeof FileUploadResponse>> => {
  const upload = await content.presignPut(job.region, {
    key: job.objectKey,
    contentType: job.contentType,
    sha256: job.checksumSha256 === null ? null : checksumAsBase64(job.checksumSha256),
    sizeBytes,
    expiresInSeconds: uploadSeconds,
  });
  return {
    id: job.id,
    upload_url: upload.url,
    upload_headers: { ...upload.headers },
    object_key: job.objectKey,
    replaces_job_id: job.replacesJobId,
    expires_in_seconds: uploadSeconds,
  };
};

/** Creates a job that awaits its upload and replaces another, and returns the upload URL. Throws 402, 404 and 409. */
export const startReplacement = async (
  start: Start<typeof startUploadUses>,
  indexId: string,
  body: FileReplacement,
  replacesJobId: string,
): Promise<z.input<typeof FileUploadResponse>> => {
  const job = await createJob(withUploader(start), indexId, body, replacesJobId);
  return presignUpload(start.deps.content, job, body.size_bytes ?? null);
};

/**
 * Creates a job that awaits its upload, and returns the upload URL. Returns the job of an equal file instead, if the body
 * requests so. If that awaits its upload, its uploader may have died, so it gets another URL. Throws 402, 404, 409 and 503.
 */
export const startUpload = async (
  start: Start<typeof startUploadUses> & { readonly clock: Clock },
  indexId: string,
  body: z.output<typeof FileUploadCreate>,
): Promise<z.input<typeof FileUploadResponse> | { readonly status: 200; readonly body: FileJobResponse }> => {
  const { on_duplicate: onDuplicate = 'keep' } = body;
  const job =
    onDuplicate === 'keep'
      ? await createJob(withUploader(start), indexId, body, null)
      : await createUnlessDuplicate(withUploader(start), indexId, body, onDuplicate);
  const { credentialHash } = start.caller;
  if (job.status === 'awaiting_upload' && job.uploader !== credentialHash)
    await start.deps.files.noteUploader(addressOfJob(job), credentialHash);
  return job.status === 'awaiting_upload'
    ? presignUpload(start.deps.content, job, body.size_bytes ?? null)
    : { status: 200, body: toJobResponse(job) };
};

/** Capabilities that adding a text needs. */
export const addTextUses = {
  indexes: indexesRead,
  files: filesWrite,
  content: contentWriter({ puts: ['uploads'] }),
  usage: usageWrite,
  models: embeddingModelsKnown,
  originals: originalAllowance,
  subjectUsage: subjectUsageWrite,
  spending: spendingWatch,
};

/**
 * Creates a job, and stores a text as its file, which starts the job like an upload. If the file is not stored, the job ends
 * like one whose file never arrives. Throws 402, 404 and 409.
 */
export const addText = async (
  start: Start<typeof addTextUses>,
  indexId: string,
  body: FileReplacement,
  text: string,
): Promise<FileJobResponse> => {
  const bytes = Buffer.from(text.toWellFormed());
  const job = await createJob(start, indexId, { ...body, size_bytes: bytes.length }, null);
  await start.deps.content.put(job.region, job.objectKey, bytes, body.content_type);
  return toJobResponse(job);
};

/** Capabilities that adding a stored file needs. */
export const addCopyUses = {
  indexes: indexesRead,
  files: filesWrite,
  content: originalCopy,
  usage: usageWrite,
  models: embeddingModelsKnown,
  originals: originalAllowance,
  subjectUsage: subjectUsageWrite,
  spending: spendingWatch,
};

/** Copies a stored file to a job that awaits it. Throws 409 and expires the job if the file is gone. */
export const copyToJob = async (
  { files, content }: Pick<Deps<typeof addCopyUses>, 'files' | 'content'>,
  job: JobRecord,
  source: { readonly region: string; readonly key: string },
): Promise<void> => {
  if (await content.copy(job.region, { from: source.key, fromRegion: source.region, to: job.objectKey })) return;
  await expireJob(files, addressOfJob(job), job.createdAt);
  throw new AppError('conflict', 'The original of the file is not stored any more. Upload it again');
};

/** Creates a job with a copy of a stored file, which starts the job like an upload. Throws 402, 404 and 409. */
export const addCopy = async (
  start: Start<typeof addCopyUses>,
  indexId: string,
  body: FileReplacement,
  source: { readonly region: string; readonly key: string },
): Promise<FileJobResponse> => {
  const job = await createJob(start, indexId, body, null);
  await copyToJob(start.deps, job, source);
  return toJobResponse(job);
};

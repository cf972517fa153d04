import { addressOfJob, type JobRecord } from '../../../../shared/files/index.ts';
import type { CopyProgress, StoredImport } from '../../../../shared/imports/index.ts';
import { openChecksum } from '../../../../shared/platform/object-sources/checksum.ts';
import {
  type ObjectSource,
  SourceChanged,
  type SourceHead,
  SourceRefused,
} from '../../../../shared/platform/object-sources/port.ts';
import type { ImportContext } from '../uses.ts';

/** Bytes of a part, which a run keeps in memory. The largest file has 32 parts, of the 10,000 that S3 allows. */
export const partBytes = 8 * 1024 * 1024;

/** Maximum time of a part. No part begins that the end of the run would interrupt. */
const partTimeMs = 120_000;

export const checksumMismatch = (): SourceRefused =>
  new SourceRefused('The bytes of the object do not match the checksum that its storage states');

export const readRange = async (
  source: ObjectSource,
  start: number,
  end: number,
  etag: string,
): Promise<Uint8Array> => {
  const bytes = await source.range(start, end, etag);
  if (bytes.length === end - start) return bytes;
  throw new SourceChanged(`The storage returned ${bytes.length} of the ${end - start} bytes requested of the object`);
};

/** Copies a small object in one request. */
export const copyObject = async (
  { deps }: ImportContext,
  job: JobRecord,
  source: ObjectSource,
  { sizeBytes, etag, checksum }: SourceHead,
): Promise<void> => {
  const bytes = sizeBytes === 0 ? new Uint8Array() : await readRange(source, 0, sizeBytes, etag);
  if (checksum !== null) {
    const running = await openChecksum(checksum.algorithm, null);
    running.update(bytes);
    if (running.digest() !== checksum.hex) throw checksumMismatch();
  }
  await deps.stored.put(job.region, job.objectKey, bytes, job.contentType);
};

const begin = async ({ deps }: ImportContext, job: JobRecord, head: SourceHead): Promise<CopyProgress> => {
  const { sizeBytes, etag, checksum } = head;
  const uploadId = await deps.parts.begin(job.region, job.objectKey, job.contentType);
  const running = checksum === null ? null : (await openChecksum(checksum.algorithm, null)).save();
  return {
    uploadId,
    etag,
    sizeBytes,
    copiedBytes: 0,
    checksum: checksum === null || running === null ? null : { ...checksum, running },
  };
};

const copyPart = async (
  { deps }: ImportContext,
  job: JobRecord,
  source: ObjectSource,
  progress: CopyProgress,
): Promise<CopyProgress> => {
  const start = progress.copiedBytes;
  const end = Math.min(progress.sizeBytes, start + partBytes);
  const bytes = await readRange(source, start, end, progress.etag);
  const upload = { region: job.region, key: job.objectKey, uploadId: progress.uploadId };
  await deps.parts.putPart(upload, start / partBytes + 1, bytes);
  if (progress.checksum === null) return { ...progress, copiedBytes: end };
  const running = await openChecksum(progress.checksum.algorithm, progress.checksum.running);
  running.update(bytes);
  return { ...progress, copiedBytes: end, checksum: { ...progress.checksum, running: running.save() } };
};

const complete = async ({ deps }: ImportContext, job: JobRecord, progress: CopyProgress): Promise<void> => {
  const { checksum, uploadId } = progress;
  if (checksum !== null) {
    const running = await openChecksum(checksum.algorithm, checksum.running);
    if (running.digest() !== checksum.hex) throw checksumMismatch();
  }
  if (await deps.parts.complete({ region: job.region, key: job.objectKey, uploadId })) return;
  // If a run died after it completed the upload, the object exists. If the bucket dropped the parts, it does not.
  if ((await deps.content.head(job.region, job.objectKey)) === null)
    throw new SourceChanged('The parts of the object were deleted before the copy was complete');
};

/**
 * Copies a large object part by part from `from`: its start, or the progress of an earlier run. False if the time ended
 * before the object was complete, or if another run continues it.
 */
export const copyParts = async (
  context: ImportContext,
  job: JobRecord,
  source: ObjectSource,
  stored: StoredImport,
  from: SourceHead | CopyProgress,
): Promise<boolean> => {
  const { deps, run } = context;
  let saved = stored;
  let progress = 'uploadId' in from ? from : await begin(context, job, from);
  if (saved.progress === null && !(await deps.imports.save(saved, progress))) return false;
  saved = { ...saved, progress };
  while (progress.copiedBytes < progress.sizeBytes) {
    if (run.remainingMs() < partTimeMs) {
      await deps.queue.send(job.region, addressOfJob(job));
      return false;
    }
    progress = await copyPart(context, job, source, progress);
    if (!(await deps.imports.save(saved, progress))) return false;
    saved = { ...saved, progress };
  }
  await complete(context, job, progress);
  return true;
};

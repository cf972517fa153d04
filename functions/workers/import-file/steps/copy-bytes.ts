import { addressOfJob, type JobRecord } from '../../../../shared/files/index.ts';
import type { CopyProgress, StoredImport } from '../../../../shared/imports/index.ts';
import { openChecksum } from '../../../../shared/platform/object-sources/checksum.ts';
import {
  type ObjectSource,
  SourceChanged,
  type SourceHead,
  SourceRefused,
} from '../../../../shared/platform/object-sources/port.ts';
import type { Copying } from '../uses.ts';

/** Bytes of a part, all of which a run holds at once; the largest file has 32 of them, of the 10,000 that S3 allows. */
export const partBytes = 8 * 1024 * 1024;

/** What a part may take at the most, so that none is begun that the end of the run would cut off. */
const partTimeMs = 120_000;

export const damaged = (): SourceRefused =>
  new SourceRefused('The bytes of the object are not those whose checksum its storage keeps');

export const rangeOf = async (source: ObjectSource, start: number, end: number, etag: string): Promise<Uint8Array> => {
  const bytes = await source.range(start, end, etag);
  if (bytes.length === end - start) return bytes;
  throw new SourceChanged(`The storage gave ${bytes.length} bytes of an object where it has ${end - start}`);
};

/** Copies a small object in one piece. */
export const copyWhole = async (
  { deps }: Copying,
  job: JobRecord,
  source: ObjectSource,
  { sizeBytes, etag, checksum }: SourceHead,
): Promise<void> => {
  const bytes = sizeBytes === 0 ? new Uint8Array() : await rangeOf(source, 0, sizeBytes, etag);
  if (checksum !== null) {
    const running = await openChecksum(checksum.algorithm, null);
    running.update(bytes);
    if (running.digest() !== checksum.hex) throw damaged();
  }
  await deps.stored.put(job.region, job.objectKey, bytes, job.contentType);
};

const begin = async ({ deps }: Copying, job: JobRecord, head: SourceHead): Promise<CopyProgress> => {
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
  { deps }: Copying,
  job: JobRecord,
  source: ObjectSource,
  progress: CopyProgress,
): Promise<CopyProgress> => {
  const start = progress.copiedBytes;
  const end = Math.min(progress.sizeBytes, start + partBytes);
  const bytes = await rangeOf(source, start, end, progress.etag);
  const upload = { region: job.region, key: job.objectKey, uploadId: progress.uploadId };
  await deps.parts.putPart(upload, start / partBytes + 1, bytes);
  if (progress.checksum === null) return { ...progress, copiedBytes: end };
  const running = await openChecksum(progress.checksum.algorithm, progress.checksum.running);
  running.update(bytes);
  return { ...progress, copiedBytes: end, checksum: { ...progress.checksum, running: running.save() } };
};

const complete = async ({ deps }: Copying, job: JobRecord, progress: CopyProgress): Promise<void> => {
  const { checksum, uploadId } = progress;
  if (checksum !== null) {
    const running = await openChecksum(checksum.algorithm, checksum.running);
    if (running.digest() !== checksum.hex) throw damaged();
  }
  if (await deps.parts.complete({ region: job.region, key: job.objectKey, uploadId })) return;
  // A run that died after it had completed the upload has left the object; a bucket that dropped the parts has not.
  if ((await deps.content.head(job.region, job.objectKey)) === null)
    throw new SourceChanged('The parts of the object have been dropped before all were there');
};

/**
 * Copies a large object part by part from `from`: its beginning, or where an earlier run was. False where the time was
 * over before the object was whole, or where another run goes on with it.
 */
export const copyParts = async (
  copying: Copying,
  job: JobRecord,
  source: ObjectSource,
  stored: StoredImport,
  from: SourceHead | CopyProgress,
): Promise<boolean> => {
  const { deps, run } = copying;
  let saved = stored;
  let progress = 'uploadId' in from ? from : await begin(copying, job, from);
  if (saved.progress === null && !(await deps.imports.save(saved, progress))) return false;
  saved = { ...saved, progress };
  while (progress.copiedBytes < progress.sizeBytes) {
    if (run.remainingMs() < partTimeMs) {
      await deps.queue.send(job.region, addressOfJob(job));
      return false;
    }
    progress = await copyPart(copying, job, source, progress);
    if (!(await deps.imports.save(saved, progress))) return false;
    saved = { ...saved, progress };
  }
  await complete(copying, job, progress);
  return true;
};

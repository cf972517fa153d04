import type * as z from 'zod';
import { idsOf } from '../../../../shared/kernel/log.ts';
import { addressOfJob, enqueueJob, failJob, jobAddressIn, type JobRecord } from '../../../../shared/files/index.ts';
import {
  exportPartOf,
  type ImportAddress,
  type ImportMessage,
  sourceOf,
  type StoredImport,
} from '../../../../shared/imports/index.ts';
import { SourceChanged, SourceFailed, SourceRefused } from '../../../../shared/platform/object-sources/port.ts';
import { isEncoded } from '../../../../shared/kernel/decode-body.ts';
import { copyDecoded } from './copy-decoded.ts';
import { copyExportPart } from './copy-export-part.ts';
import { copyParts, copyObject, partBytes } from './copy-bytes.ts';
import { reserveSize } from './reserve-size.ts';
import type { ImportContext } from '../uses.ts';

type Message = z.output<typeof ImportMessage>;

/** Delay before a failing storage is retried, and the maximum number of retries. */
const pauseSeconds = 600;
const maxPauses = 4;

/** Fails a job whose object cannot be copied, and deletes its credentials. */
const failImport = async ({ deps, run }: ImportContext, job: JobRecord, error: string): Promise<void> => {
  await failJob(deps, job, { error, code: 'processing_failed' }, run.clock);
  await deps.imports.delete(addressOfJob(job));
};

/**
 * Retries an import after a delay, or fails it when its retries are exhausted, unless its job has progressed or ended
 * meanwhile.
 */
export const retryLaterOrFail = async (context: ImportContext, message: Message, error: string): Promise<void> => {
  const { deps, run } = context;
  const address = jobAddressIn(message, message.job_id);
  const stored = await deps.imports.get(address);
  if (stored === null) return;
  const job = await deps.files.noteInvocation(address, run.invocationId);
  if (job?.status !== 'queued') await deps.imports.delete(address);
  else if (message.failures < maxPauses) {
    const failures = message.failures + 1;
    run.log.warn('import.storage.retry', { ...idsOf(message), failures, fault: stored.fault });
    await deps.queue.send(job.region, address, { failures, delaySeconds: pauseSeconds });
  } else await failImport(context, job, stored.fault === null ? error : `${error}. ${stored.fault}`);
};

/** Returns the credentials of an object; null if it is public. */
const credentialsOf = async ({ deps }: ImportContext, stored: StoredImport): Promise<unknown> => {
  const { organizationId, storedCredentials: name, sealed } = stored;
  if (name === null && sealed === null) return null;
  const opened =
    name === null ? await deps.imports.credentials(stored) : await deps.storedCredentials.open(organizationId, name);
  if (opened !== null) return opened;
  throw new SourceRefused(
    name === null
      ? 'The object could not be copied while its credentials were kept, which is one day'
      : `The stored credentials ${name} were deleted before the object was copied`,
  );
};

/** Copies the rest of an object. False if the time ended before, or if another run continues it. */
const copy = async (context: ImportContext, job: JobRecord, stored: StoredImport): Promise<boolean> => {
  const { deps } = context;
  const part = exportPartOf(stored);
  if (part !== null) {
    await copyExportPart(context, job, part);
    return true;
  }
  const credentials = await credentialsOf(context, stored);
  const source = deps.sources(sourceOf(stored, credentials), job.organizationId);
  if (stored.progress !== null) return copyParts(context, job, source, stored, stored.progress);
  const head = await source.head();
  const limit = await reserveSize(context, job, head);
  if (isEncoded(head.encoding) && (await copyDecoded(context, job, source, head, limit))) return true;
  if (head.sizeBytes <= partBytes) {
    await copyObject(context, job, source, head);
    return true;
  }
  return copyParts(context, job, source, stored, head);
};

/** Records that the file of a job has arrived, so that the job is planned even if the bucket's notification is lost. */
const markCopied = async ({ deps, run }: ImportContext, job: JobRecord, address: ImportAddress): Promise<void> => {
  const head = await deps.content.head(job.region, job.objectKey);
  if (head === null) return;
  await enqueueJob(deps.files, address, { sizeBytes: head.sizeBytes, at: run.clock.now().toISOString() });
};

/** Discards the progress of a copy whose source content has changed. */
const restartCopy = async ({ deps }: ImportContext, address: ImportAddress): Promise<void> => {
  const stored = await deps.imports.get(address);
  if (stored !== null) await deps.imports.save(stored, null);
};

/**
 * Copies the object of an import to the key of an upload; the bucket then notifies the planner. Progress is stored, so
 * that a later or concurrent run continues it.
 */
export const copyImport = async (context: ImportContext, message: Message): Promise<void> => {
  const { deps, run } = context;
  const address = jobAddressIn(message, message.job_id);
  const stored = await deps.imports.get(address);
  if (stored === null) return;
  const job = await deps.files.noteInvocation(address, run.invocationId);
  // The request that created the import may be about to create its job. A sweep deletes an import without a job.
  if (job === null) return;
  if (job.status !== 'queued') {
    await deps.imports.delete(address);
    return;
  }
  try {
    if (!(await copy(context, job, stored))) return;
    await markCopied(context, job, address);
    await deps.imports.delete(address);
  } catch (error) {
    if (error instanceof SourceRefused) return failImport(context, job, error.message);
    if (error instanceof SourceChanged) await restartCopy(context, address);
    if (error instanceof SourceFailed) {
      await deps.imports.recordFault(address, error.message);
      await deps.files.noteFault(address, `${error.message}; the copy is tried again`);
    }
    throw error;
  }
};

import type * as z from 'zod';
import { idsOf } from '../../../../shared/kernel/log.ts';
import { plans } from '../../../../shared/kernel/plans.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import { addressOfJob, failJob, jobAddressIn, type JobRecord } from '../../../../shared/files/index.ts';
import {
  type ImportAddress,
  type ImportMessage,
  sourceOf,
  type StoredImport,
} from '../../../../shared/imports/index.ts';
import {
  SourceChanged,
  SourceFailed,
  type SourceHead,
  SourceRefused,
} from '../../../../shared/platform/object-sources/port.ts';
import { isEncoded } from '../../../../shared/kernel/decode-body.ts';
import { copyDecoded } from './copy-decoded.ts';
import { copyParts, copyWhole, partBytes } from './copy-bytes.ts';
import type { Copying } from '../uses.ts';

type Message = z.output<typeof ImportMessage>;

/** How long a storage that is busy or out of reach is left alone, and how often before its object is given up. */
const pauseSeconds = 600;
const mostPauses = 4;

/** Ends a job whose object cannot be had, and forgets what would have opened it. */
const giveUp = async ({ deps, run }: Copying, job: JobRecord, error: string): Promise<void> => {
  await failJob(deps, job, { error, code: 'processing_failed' }, run.clock);
  await deps.imports.forget(addressOfJob(job));
};

/** Asks again after a pause, or makes the failure of an import final, unless its job has gone on or ended meanwhile. */
export const endAttempts = async (copying: Copying, message: Message, error: string): Promise<void> => {
  const { deps, run } = copying;
  const address = jobAddressIn(message, message.job_id);
  const stored = await deps.imports.get(address);
  if (stored === null) return;
  const job = await deps.files.noteInvocation(address, run.invocationId);
  if (job?.status !== 'queued') await deps.imports.forget(address);
  else if (message.failures < mostPauses) {
    const failures = message.failures + 1;
    run.log.warn('an import waits for its storage', { ...idsOf(message), failures, fault: stored.fault });
    await deps.queue.send(job.region, address, { failures, delaySeconds: pauseSeconds });
  } else await giveUp(copying, job, stored.fault === null ? error : `${error}. ${stored.fault}`);
};

/** Most bytes that a file may have; throws where an object has more. */
const requireSize = async ({ deps }: Copying, job: JobRecord, { sizeBytes }: SourceHead): Promise<number> => {
  const limit = plans[await planOf(deps.organizations, job.organizationId)].limits.max_file_bytes;
  if (sizeBytes > limit) throw new SourceRefused(`The file has ${sizeBytes} bytes, the plan allows ${limit}`);
  return limit;
};

/** Copies what is left of an object. False where the time was over before, or another run goes on with it. */
const copy = async (copying: Copying, job: JobRecord, stored: StoredImport): Promise<boolean> => {
  const { deps } = copying;
  const credentials = stored.sealed === null ? null : await deps.imports.credentials(stored);
  if (stored.sealed !== null && credentials === null)
    throw new SourceRefused('The object could not be copied while its credentials were kept, which is one day');
  const source = deps.sources(sourceOf(stored, credentials), job.organizationId);
  if (stored.progress !== null) return copyParts(copying, job, source, stored, stored.progress);
  const head = await source.head();
  const limit = await requireSize(copying, job, head);
  if (isEncoded(head.encoding) && (await copyDecoded(copying, job, source, head, limit))) return true;
  if (head.sizeBytes <= partBytes) {
    await copyWhole(copying, job, source, head);
    return true;
  }
  return copyParts(copying, job, source, stored, head);
};

/** Notes that the file of a job is there, so that the job is planned even where the bucket's word of it is lost. */
const markCopied = async ({ deps, run }: Copying, job: JobRecord, address: ImportAddress): Promise<void> => {
  const head = await deps.content.head(job.region, job.objectKey);
  if (head === null) return;
  await deps.files.enqueue(address, { sizeBytes: head.sizeBytes, at: run.clock.now().toISOString() });
};

/** Drops what is copied of a content that is no more. */
const beginAnew = async ({ deps }: Copying, address: ImportAddress): Promise<void> => {
  const stored = await deps.imports.get(address);
  if (stored !== null) await deps.imports.save(stored, null);
};

/**
 * Copies the object of an import to where an upload of its job would lie; the bucket then tells the planner. What is
 * stored stays, so that a run after a crash, or one that takes turns with another, goes on where the last one was.
 */
export const copyImport = async (copying: Copying, message: Message): Promise<void> => {
  const { deps, run } = copying;
  const address = jobAddressIn(message, message.job_id);
  const stored = await deps.imports.get(address);
  if (stored === null) return;
  const job = await deps.files.noteInvocation(address, run.invocationId);
  // The request that makes the import may be about to make its job; a sweep drops what never got one.
  if (job === null) return;
  if (job.status !== 'queued') {
    await deps.imports.forget(address);
    return;
  }
  try {
    if (!(await copy(copying, job, stored))) return;
    await markCopied(copying, job, address);
    await deps.imports.forget(address);
  } catch (error) {
    if (error instanceof SourceRefused) return giveUp(copying, job, error.message);
    if (error instanceof SourceChanged) await beginAnew(copying, address);
    if (error instanceof SourceFailed) {
      await deps.imports.note(address, error.message);
      await deps.files.noteFault(address, `${error.message}; the object is asked for again`);
    }
    throw error;
  }
};

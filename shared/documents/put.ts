import { createHash } from 'node:crypto';
import { isOpen, type JobRecord, newJob, reserveJob } from '../files/index.ts';
import { requireGrowableIndex, requireReadyIndex } from '../indexes/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { timeOf } from '../kernel/ids.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { DocumentDeps } from './capabilities.ts';
import { clearOlderJobs, hasContent, jobAddress, cancelOpenJobs } from './jobs.ts';
import type { DocumentRecord, Source } from './record.ts';
import { removeDocument } from './remove.ts';
import { shouldRetry, nextJobId, attemptNumber } from './retry-policy.ts';

/** Current state of an item at its source. */
export interface SourceDocument {
  /** Permanent id, unique within its source. */
  readonly externalId: string;
  /** Value that changes with the content: an etag, a hash, the time of the last change. */
  readonly version: string;
  readonly filename: string;
  /** Media type that the source declares; the pipeline detects the format itself. */
  readonly contentType: string;
  /** Content, or a function that fetches it (null if it is gone). It is called only if something has changed. */
  readonly body: Uint8Array | (() => Promise<Uint8Array | null>);
  /** Stored with every chunk. A change of the metadata alone counts as a change. */
  readonly metadata: JsonObject;
  readonly title: string | null;
  /** Address at which people read it. */
  readonly url: string | null;
  /** Number of the scan of the source that found it. */
  readonly generation: number;
  /** Whether ids are unique within a scan, so that another version in the same scan is a repeated id. */
  readonly isUnique?: boolean;
}

/** Failure of an id that occurs again in a scan. */
const repeatedId = 'its id occurs more than once; only the first item is indexed';

/** Result of putting a document. */
export interface PutResult {
  readonly outcome: 'unchanged' | 'stored' | 'gone';
  /** Whether this scan of the source has not found the document before. */
  readonly isNew: boolean;
  /** Why this version is not in the index, for people; null if it is, or its first job is running. */
  readonly failure: string | null;
}

const versionOf = ({ version, filename, contentType, metadata, title, url }: SourceDocument): string =>
  createHash('sha256')
    .update(JSON.stringify([version, filename, contentType, metadata, title, url]))
    .digest('base64url');

const load = async ({ body }: SourceDocument): Promise<Uint8Array | null> =>
  body instanceof Uint8Array ? body : body();

const failureOf = (job: JobRecord): string => job.error ?? `its file job is ${job.status}`;

/**
 * Result for a document that needs no new job; null if it needs one. At most its job remains to be marked as stored.
 */
const upToDateResult = (
  source: Source,
  existing: DocumentRecord,
  version: string,
  job: JobRecord | null,
  now: Date,
): Pick<PutResult, 'outcome' | 'failure'> | null => {
  if (existing.version !== version || job === null || job.removed) return null;
  if (!existing.isStored && job.status === 'awaiting_upload') return null;
  if (isOpen(job) || hasContent(job)) return { outcome: 'unchanged', failure: null };
  if (shouldRetry(source, existing, job, now)) return null;
  return { outcome: 'unchanged', failure: failureOf(job) };
};

/** Failure of a job that is retried; null if it is open or has content. */
const retriedFailure = (job: JobRecord): string | null =>
  job.removed || isOpen(job) || hasContent(job) ? null : `${failureOf(job)}; it is tried again`;

/** Document whose job id is recorded, before its file is stored. */
interface PendingDocument {
  readonly deps: DocumentDeps;
  readonly source: Source;
  readonly region: string;
  readonly document: SourceDocument;
  readonly begun: DocumentRecord;
  readonly clock: Clock;
}

const storeJob = async (
  { deps, source, region, document, begun, clock }: PendingDocument,
  bytes: number,
): Promise<JobRecord> => {
  const address = jobAddress(source, begun.jobId);
  const stored = await deps.files.get(address);
  if (stored !== null) return stored;
  const { organizationId, indexId, kind } = source;
  const replaced = await cancelOpenJobs(deps, source, begun, clock);
  const at = timeOf(begun.jobId);
  const job = newJob({
    id: begun.jobId,
    organizationId,
    indexId,
    region,
    filename: document.filename,
    contentType: document.contentType,
    source: kind,
    status: 'awaiting_upload',
    checksumSha256: null,
    metadata: document.metadata,
    replacesJobId: replaced?.id ?? null,
    createdAt: at.toISOString(),
  });
  const confirm = await reserveJob(deps, source, job, bytes);
  await deps.files.add(job);
  await confirm();
  return job;
};

/** Stores the job of a document, then its file, which starts the job like an upload. */
const storeDocument = async (pending: PendingDocument, bytes: Uint8Array): Promise<void> => {
  const { deps, source, document, begun } = pending;
  const job = await storeJob(pending, bytes.byteLength);
  if (job.status === 'awaiting_upload') await deps.content.put(job.region, job.objectKey, bytes, document.contentType);
  await deps.documents.markStored(source, begun);
  await clearOlderJobs(deps, source, begun);
};

/**
 * Puts a document of a source into its index or updates it there, by a file job whose content replaces the previous
 * content. Until the job completes, searches find the previous content. The job's id is recorded first, so a repeat
 * after a crash at any point creates the same job. Throws 402 at a limit of the plan, 404 and 409 as for an upload, and
 * the errors of `body`; the document is unchanged then and can be retried.
 */
export const putDocument = async (
  deps: DocumentDeps,
  source: Source,
  document: SourceDocument,
  clock: Clock,
): Promise<PutResult> => {
  const { externalId, generation, title, url } = document;
  const version = versionOf(document);
  for (;;) {
    const existing = await deps.documents.get(source, externalId);
    const job = existing === null ? null : await deps.files.get(jobAddress(source, existing.jobId));
    const current = existing === null ? null : upToDateResult(source, existing, version, job, clock.now());
    const isNew = existing?.generation !== generation;
    if (existing !== null && current !== null) {
      if (!existing.isStored) await deps.documents.markStored(source, existing);
      if (isNew) await deps.documents.markSeen(source, externalId, generation);
      return { ...current, isNew };
    }
    if (document.isUnique === true && existing?.isStored === true && !isNew && existing.version !== version)
      return { outcome: 'unchanged', isNew, failure: repeatedId };
    const bytes = await load(document);
    if (bytes === null) {
      await removeDocument(deps, source, externalId, clock);
      return { outcome: 'gone', isNew, failure: null };
    }
    const jobId = nextJobId(existing, version, job, clock.now());
    const attempts = attemptNumber(source, existing, version, job, jobId);
    // Nothing deletes records that are written after the index is gone.
    const requireIndex = existing === null ? requireGrowableIndex : requireReadyIndex;
    const { region } = await requireIndex(deps.indexes, source.organizationId, source.indexId);
    const begun = await deps.documents.begin(
      source,
      { externalId, jobId, version, attempts, generation, title, url },
      existing,
    );
    if (begun === null) continue;
    await storeDocument({ deps, source, region, document, begun, clock }, bytes);
    return { outcome: 'stored', isNew, failure: attempts > 1 && job !== null ? retriedFailure(job) : null };
  }
};

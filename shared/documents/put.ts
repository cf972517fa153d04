import { createHash } from 'node:crypto';
import { isOpen, type JobRecord, newJob, reserveJob } from '../files/index.ts';
import { requireStandingIndex } from '../indexes/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { timeOf } from '../kernel/ids.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { DocumentDeps } from './capabilities.ts';
import { clearOlderJobs, hasContent, jobAddress, settle } from './jobs.ts';
import type { DocumentRecord, Source } from './record.ts';
import { removeDocument } from './remove.ts';
import { isWorthAnother, nextJobId, triesOf } from './tries.ts';

/** One thing at the source, as it is now. */
export interface SourceDocument {
  /** What never changes about it; no two things of a source share one. */
  readonly externalId: string;
  /** Whatever differs when the content differs: an etag, a hash, the time of the last change. */
  readonly version: string;
  readonly filename: string;
  /** What the source says that it is; the pipeline looks for itself. */
  readonly contentType: string;
  /** The content, or how to get it; null where it has gone meanwhile. It is asked for only where something has changed. */
  readonly body: Uint8Array | (() => Promise<Uint8Array | null>);
  /** Kept with every chunk; a change of it alone counts as a change. */
  readonly metadata: JsonObject;
  readonly title: string | null;
  /** Where people read it. */
  readonly url: string | null;
  /** The reading of the source that sees it. */
  readonly generation: number;
  /** Whether a reading contains it once, so that another version in the same reading is a repeated id. */
  readonly isUnique?: boolean;
}

/** Reports an id that a reading contains again. */
const repeatedId = 'its id occurs more than once; only the first item is indexed';

/** What has come of putting a document. */
export interface Put {
  readonly outcome: 'unchanged' | 'stored' | 'gone';
  /** Whether this reading of the source had not seen the document before. */
  readonly isNew: boolean;
  /** Why this version is not in the index, for a person; null if it is, or is on its way for the first time. */
  readonly failure: string | null;
}

const versionOf = ({ version, filename, contentType, metadata, title, url }: SourceDocument): string =>
  createHash('sha256')
    .update(JSON.stringify([version, filename, contentType, metadata, title, url]))
    .digest('base64url');

const load = async ({ body }: SourceDocument): Promise<Uint8Array | null> =>
  body instanceof Uint8Array ? body : body();

const failureOf = (job: JobRecord): string => job.error ?? `its file job is ${job.status}`;

/** What stands of a document for which nothing is to be done, but perhaps to note that its job has been made. */
const currentOf = (
  source: Source,
  known: DocumentRecord,
  version: string,
  job: JobRecord | null,
  now: Date,
): Pick<Put, 'outcome' | 'failure'> | null => {
  if (known.version !== version || job === null || job.removed) return null;
  if (!known.made && job.status === 'awaiting_upload') return null;
  if (isOpen(job) || hasContent(job)) return { outcome: 'unchanged', failure: null };
  if (isWorthAnother(source, known, job, now)) return null;
  return { outcome: 'unchanged', failure: failureOf(job) };
};

/** Why a job failed that another one follows; null if it is open or has content. */
const retriedFailure = (job: JobRecord): string | null =>
  job.removed || isOpen(job) || hasContent(job) ? null : `${failureOf(job)}; it is tried again`;

/** A document that has been begun, on its way into its index. */
interface Making {
  readonly deps: DocumentDeps;
  readonly source: Source;
  readonly region: string;
  readonly document: SourceDocument;
  readonly begun: DocumentRecord;
  readonly clock: Clock;
}

const storeJob = async ({ deps, source, region, document, begun, clock }: Making): Promise<JobRecord> => {
  const address = jobAddress(source, begun.jobId);
  const stored = await deps.files.get(address);
  if (stored !== null) return stored;
  const { organizationId, indexId, kind } = source;
  const standing = await settle(deps, source, begun, clock);
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
    replacesJobId: standing?.id ?? null,
    createdAt: at.toISOString(),
  });
  await reserveJob(deps, source, job);
  await deps.files.add(job);
  return job;
};

/** Stores the job of a document that has been begun, then its file, which sets the job going as an upload does. */
const make = async (making: Making, bytes: Uint8Array): Promise<void> => {
  const { deps, source, document, begun } = making;
  const job = await storeJob(making);
  if (job.status === 'awaiting_upload') await deps.content.put(job.region, job.objectKey, bytes, document.contentType);
  await deps.documents.markMade(source, begun);
  await clearOlderJobs(deps, source, begun);
};

/**
 * Brings a document of a source into its index, or up to date there: a file job whose content takes the place of what the
 * document was before. Until that job completes, the old content is found. What is to be done is written down first, so a
 * repeat after a crash at any line makes the same job. Throws 402 at a limit of the plan, 404 and 409 as for an upload,
 * and whatever `body` throws; the document is then as it was, to be tried again.
 */
export const putDocument = async (
  deps: DocumentDeps,
  source: Source,
  document: SourceDocument,
  clock: Clock,
): Promise<Put> => {
  const { externalId, generation, title, url } = document;
  const version = versionOf(document);
  for (;;) {
    const known = await deps.documents.get(source, externalId);
    const job = known === null ? null : await deps.files.get(jobAddress(source, known.jobId));
    const current = known === null ? null : currentOf(source, known, version, job, clock.now());
    const isNew = known?.generation !== generation;
    if (known !== null && current !== null) {
      if (!known.made) await deps.documents.markMade(source, known);
      if (isNew) await deps.documents.markSeen(source, externalId, generation);
      return { ...current, isNew };
    }
    if (document.isUnique === true && known?.made === true && !isNew && known.version !== version)
      return { outcome: 'unchanged', isNew, failure: repeatedId };
    const bytes = await load(document);
    if (bytes === null) {
      await removeDocument(deps, source, externalId, clock);
      return { outcome: 'gone', isNew, failure: null };
    }
    const jobId = nextJobId(known, version, job, clock.now());
    const tries = triesOf(source, known, version, job, jobId);
    // What is written down once the index is gone, nobody clears away.
    const { region } = await requireStandingIndex(deps.indexes, source.organizationId, source.indexId);
    const begun = await deps.documents.begin(
      source,
      { externalId, jobId, version, tries, generation, title, url },
      known,
    );
    if (begun === null) continue;
    await make({ deps, source, region, document, begun, clock }, bytes);
    return { outcome: 'stored', isNew, failure: tries > 1 && job !== null ? retriedFailure(job) : null };
  }
};

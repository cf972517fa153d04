import { createHash } from 'node:crypto';
import { isOpen, type JobRecord, newJob, reserveJob } from '../files/index.ts';
import { requireStandingIndex } from '../indexes/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId, timeOf } from '../kernel/ids.ts';
import type { JsonObject } from '../kernel/json.ts';
import { monthOf } from '../usage/index.ts';
import type { DocumentDeps } from './capabilities.ts';
import { addressOf, clearOlderJobs, hasContent, settle } from './jobs.ts';
import type { DocumentRecord, Source } from './record.ts';
import { removeDocument } from './remove.ts';

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
  /** The sweep that sees it. */
  readonly generation: number;
}

/** Jobs for one version of a document: one that fails thrice is left until the document changes. */
const mostTries = 3;

const versionOf = ({ version, filename, contentType, metadata, title, url }: SourceDocument): string =>
  createHash('sha256')
    .update(JSON.stringify([version, filename, contentType, metadata, title, url]))
    .digest('base64url');

/** Whether nothing is to be done for a document, but perhaps to note that its job has been made. */
const isCurrent = (known: DocumentRecord, version: string, job: JobRecord | null): boolean => {
  if (known.version !== version || job === null || job.removed) return false;
  if (!known.made && job.status === 'awaiting_upload') return false;
  return isOpen(job) || hasContent(job) || known.tries >= mostTries;
};

const load = async ({ body }: SourceDocument): Promise<Uint8Array | null> =>
  body instanceof Uint8Array ? body : body();

/** Whether a job is taken from the allowance of the month that runs. */
const isOfThisMonth = (jobId: string, now: Date): boolean =>
  monthOf(timeOf(jobId).toISOString()) === monthOf(now.toISOString());

/**
 * A job that was begun and never stored is still to be made, whatever it is to carry by now; but not once its month is
 * over, whose allowance may be what it was refused for.
 */
const nextJobId = (known: DocumentRecord | null, version: string, job: JobRecord | null, now: Date): string => {
  if (known === null || known.made) return newId('job', now);
  const unfinished =
    job === null ? isOfThisMonth(known.jobId, now) : known.version === version && job.status === 'awaiting_upload';
  return unfinished ? known.jobId : newId('job', now);
};

const storeJob = async (
  deps: DocumentDeps,
  source: Source,
  document: SourceDocument,
  begun: DocumentRecord,
  clock: Clock,
): Promise<JobRecord> => {
  const address = addressOf(source, begun.jobId);
  const stored = await deps.files.get(address);
  if (stored !== null) return stored;
  const { organizationId, indexId, kind } = source;
  const { region } = await requireStandingIndex(deps.indexes, organizationId, indexId);
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
const make = async (
  deps: DocumentDeps,
  source: Source,
  document: SourceDocument,
  begun: DocumentRecord,
  bytes: Uint8Array,
  clock: Clock,
): Promise<void> => {
  const job = await storeJob(deps, source, document, begun, clock);
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
): Promise<'unchanged' | 'stored' | 'gone'> => {
  const { externalId, generation, title, url } = document;
  const version = versionOf(document);
  for (;;) {
    const known = await deps.documents.get(source, externalId);
    const job = known === null ? null : await deps.files.get(addressOf(source, known.jobId));
    if (known !== null && isCurrent(known, version, job)) {
      if (!known.made) await deps.documents.markMade(source, known);
      if (known.generation !== generation) await deps.documents.markSeen(source, externalId, generation);
      return 'unchanged';
    }
    const bytes = await load(document);
    if (bytes === null) {
      await removeDocument(deps, source, externalId, clock);
      return 'gone';
    }
    const jobId = nextJobId(known, version, job, clock.now());
    const again = known !== null && known.version === version;
    const tries = again ? known.tries + (known.jobId === jobId ? 0 : 1) : 1;
    const begun = await deps.documents.begin(
      source,
      { externalId, jobId, version, tries, generation, title, url },
      known,
    );
    if (begun === null) continue;
    await make(deps, source, document, begun, bytes, clock);
    return 'stored';
  }
};

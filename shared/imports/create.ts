import { laterBy } from '../kernel/clock.ts';
import type { Deps } from '../kernel/capability.ts';
import { hourMs } from '../kernel/durations.ts';
import { AppError } from '../kernel/errors.ts';
import { derivedId } from '../kernel/ids.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { exportPresign } from '../platform/aws/content.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { exportFiles, exportsRead, requireExport } from '../exports/index.ts';
import { filesWrite, type JobRecord, newJob, reserveJob, unknownType } from '../files/index.ts';
import { type IndexRecord, indexesRead, requireGrowableIndex } from '../indexes/index.ts';
import { usageWrite } from '../usage/index.ts';
import { importsSend } from './message.ts';
import { importsWrite } from './repository.ts';
import { type FileImport, importName, type RemoteFileImport } from './schemas.ts';

/** Capabilities that creating an import needs. */
export const createImportUses = {
  indexes: indexesRead,
  files: filesWrite,
  imports: importsWrite,
  queue: importsSend,
  usage: usageWrite,
  exports: exportsRead,
  exported: exportPresign,
};

const secretHours = 24;

/** Validity of the URLs of an export's files: longer than all attempts of an import. */
const exportUrlSeconds = 12 * 3_600;

/** Files of an export whose jobs are created concurrently. */
const filesAtOnce = 8;

interface Start {
  readonly deps: Deps<typeof createImportUses>;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
}

/** Returns the address of a file without its secrets, and its secrets. The query of a URL may contain a signature. */
const splitSecrets = (body: FileImport): { readonly uri: string; readonly credentials: unknown } => {
  if (body.provider !== 'url') return { uri: body.uri, credentials: body.credentials };
  const { origin, pathname, search } = new URL(body.uri);
  return { uri: origin + pathname, credentials: search === '' ? null : { query: search } };
};

/**
 * Creates a job that waits for its file to be copied. The import is stored before the job: the sweep deletes an import
 * without a job, while a job without its import could never end.
 */
const createFileImport = async (start: Start, index: IndexRecord, id: string, body: FileImport): Promise<JobRecord> => {
  const { deps, caller, idempotency } = start;
  const { organizationId } = caller;
  const indexId = index.id;
  const job = newJob({
    id,
    organizationId,
    indexId,
    region: index.region,
    filename: importName(body),
    contentType: body.content_type ?? unknownType,
    source: 'import',
    status: 'queued',
    checksumSha256: null,
    metadata: body.metadata,
    replacesJobId: null,
    createdAt: idempotency.at.toISOString(),
  });
  await reserveJob(deps, caller, job);
  await deps.files.recordName(job);
  const expiresAt = laterBy(idempotency.at, secretHours * hourMs);
  const { uri, credentials } = splitSecrets(body);
  await deps.imports.add(
    { organizationId, indexId, jobId: job.id, provider: body.provider, uri, createdAt: job.createdAt },
    credentials === null ? null : { credentials, key: idempotency.secret(), expiresAt },
  );
  await deps.files.add(job);
  await deps.queue.send(job.region, { organizationId, indexId, jobId: job.id });
  return job;
};

/** Returns the files of an export as imports from their presigned URLs, which work from every region. */
const filesOfExport = async (
  { deps, caller }: Start,
  body: Extract<RemoteFileImport, { readonly provider: 'export' }>,
): Promise<readonly FileImport[]> => {
  const [indexId = '', exportId = ''] = body.uri.split('/');
  if (caller.indexIds?.includes(indexId) === false)
    throw new AppError('index_not_allowed', 'These credentials may not use the exported index');
  const address = { organizationId: caller.organizationId, indexId, exportId };
  const found = await requireExport(deps, address);
  if (found.status !== 'completed') throw new AppError('conflict', `The export is ${found.status}`);
  const files = await exportFiles(deps.exported, found, exportUrlSeconds);
  if (files.length === 0) throw new AppError('conflict', 'The export has no rows');
  return files.map(({ filename, media_type, url }) => ({
    provider: 'url',
    uri: url,
    credentials: null,
    filename: `${importName(body)}-${filename}`,
    content_type: body.content_type ?? media_type,
    metadata: body.metadata,
  }));
};

/** Creates the job of an import. For an export, creates a job for each of its files. Throws 402, 403, 404 and 409. */
export const createImport = async (start: Start, indexId: string, body: RemoteFileImport): Promise<JobRecord> => {
  const { deps, caller, idempotency } = start;
  const index = await requireGrowableIndex(deps.indexes, caller.organizationId, indexId);
  const firstId = idempotency.id('job');
  if (body.provider !== 'export') return createFileImport(start, index, firstId, body);
  const files = await filesOfExport(start, body);
  const jobs: JobRecord[] = [];
  await inParallel([...files.entries()], filesAtOnce, async ([at, file]) => {
    const id = at === 0 ? firstId : derivedId('job', idempotency.at, firstId, String(at));
    jobs[at] = await createFileImport(start, index, id, file);
  });
  const [first] = jobs;
  if (first === undefined) throw new Error('an export with files has a first file');
  return first;
};

import { laterBy } from '../kernel/clock.ts';
import type { Deps } from '../kernel/capability.ts';
import { hourMs } from '../kernel/durations.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { AppError, invalid } from '../kernel/errors.ts';
import { localAccountId } from '../kernel/names.ts';
import { isLocalUrl } from '../platform/delivery/public-address.ts';
import { derivedId } from '../kernel/ids.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { expiryText } from '../http/expiry.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { exportsRead, type ExportRecord, mediaTypes, partFilename, requireExport } from '../exports/index.ts';
import { filesWrite, type JobRecord, newJob, reserveJob, unknownType } from '../files/index.ts';
import { type IndexRecord, indexesRead, requireGrowableIndex, requireModel } from '../indexes/index.ts';
import { embeddingModelsKnown } from '../platform/models/model-names.ts';
import { otherModelMessage } from '../platform/models/port.ts';
import { countedCredential, originalAllowance, spendingWatch, subjectUsageWrite, usageWrite } from '../usage/index.ts';
import { exportAddressOf, partUri } from './export-part.ts';
import { localRoleProblem, requireStored, storedCredentialsRead, storedIn } from '../source-credentials/index.ts';
import { importsSend } from './message.ts';
import { importsWrite } from './repository.ts';
import { importName, type RemoteFileImport } from './schemas.ts';

/** Returns the field of an import that no deployment of this kind can copy, with its problem; null if there is none. */
type UnreachableSource = (
  body: RemoteFileImport,
) => { readonly path: readonly string[]; readonly problem: string } | null;

const unreachableProblem = (
  body: RemoteFileImport,
  { accountId, allowLocalWebhooks }: Runtime['config'],
): ReturnType<UnreachableSource> => {
  if (body.provider === 'url' && isLocalUrl(new URL(body.uri)) && !allowLocalWebhooks)
    return { path: ['uri'], problem: 'the address must be public' };
  if (accountId !== localAccountId || body.provider !== 'aws_s3' || body.credentials?.role_arn === undefined)
    return null;
  return { path: ['credentials', 'role_arn'], problem: localRoleProblem };
};

/** Capabilities that creating an import needs. */
export const createImportUses = {
  indexes: indexesRead,
  files: filesWrite,
  imports: importsWrite,
  queue: importsSend,
  usage: usageWrite,
  originals: originalAllowance,
  subjectUsage: subjectUsageWrite,
  spending: spendingWatch,
  exports: exportsRead,
  models: embeddingModelsKnown,
  stored: storedCredentialsRead,
  unreachable: capability<UnreachableSource>(
    [],
    ({ config }) =>
      (body) =>
        unreachableProblem(body, config),
  ),
};

const secretHours = 24;

/** Files of an export whose jobs are created concurrently. */
const filesAtOnce = 8;

interface Start {
  readonly deps: Deps<typeof createImportUses>;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
}

/** Returns the address of a file without its secrets, and its secrets. The query of a URL may contain a signature. */
const splitSecrets = (body: RemoteFileImport): { readonly uri: string; readonly credentials: unknown } => {
  if (body.provider !== 'url') return { uri: body.uri, credentials: body.credentials };
  const { origin, pathname, search } = new URL(body.uri);
  return { uri: origin + pathname, credentials: search === '' ? null : { query: search } };
};

/**
 * Creates a job that waits for its file to be copied. The import is stored before the job: the sweep deletes an import
 * without a job, while a job without its import could never end.
 */
const createFileImport = async (
  start: Start,
  index: IndexRecord,
  id: string,
  body: RemoteFileImport,
): Promise<JobRecord> => {
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
    embeds: body.embed ?? false,
    createdBy: countedCredential(caller),
    replacesJobId: null,
    createdAt: idempotency.at.toISOString(),
    expiresAt: expiryText(body, idempotency.at, index.ttlSeconds),
  });
  // The size is reserved when the storage states it.
  const confirm = await reserveJob(deps, caller, job, 0);
  await deps.files.recordName(job);
  const expiresAt = laterBy(idempotency.at, secretHours * hourMs);
  const { uri, credentials } = splitSecrets(body);
  await deps.imports.add(
    {
      organizationId,
      indexId,
      jobId: job.id,
      provider: body.provider,
      uri,
      storedCredentials: storedIn(body),
      createdAt: job.createdAt,
    },
    credentials === null ? null : { credentials, key: idempotency.secret(), expiresAt },
  );
  await deps.files.add(job);
  await confirm();
  await deps.queue.send(job.region, { organizationId, indexId, jobId: job.id });
  return job;
};

type ExportImport = Extract<RemoteFileImport, { readonly provider: 'export' }>;

/** Returns an export whose rows fit the index. Throws 403, 404, and 409 if its vectors are those of another model. */
const requireImportable = async (
  { deps, caller }: Start,
  index: IndexRecord,
  { uri, embed = false }: ExportImport,
): Promise<ExportRecord> => {
  const address = exportAddressOf(caller.organizationId, uri);
  if (caller.indexIds?.includes(address.indexId) === false)
    throw new AppError('index_not_allowed', 'These credentials may not use the exported index');
  const found = await requireExport(deps, address);
  if (found.status !== 'completed') throw new AppError('conflict', `The export is ${found.status}`);
  if (found.parts.length === 0) throw new AppError('conflict', 'The export has no rows');
  const hasOtherVectors = found.vectors === 'include' && found.embeddingModel !== index.embeddingModel;
  if (hasOtherVectors && !embed)
    throw new AppError(
      'conflict',
      `The export cannot be imported: ${otherModelMessage(found.embeddingModel, index.embeddingModel)}`,
    );
  return found;
};

/** Returns the parts of an export as imports of one file each. */
const partsOfExport = (found: ExportRecord, body: ExportImport): readonly ExportImport[] =>
  found.parts.map((_, at) => ({
    ...body,
    credentials: null,
    uri: partUri(body.uri, at + 1),
    filename: `${importName(body)}-${partFilename(found, at + 1)}`,
    content_type: body.content_type ?? mediaTypes[found.format],
  }));

/** Creates the job of an import. For an export, creates a job for each of its files. Throws 402, 403, 404 and 409. */
export const createImport = async (start: Start, indexId: string, body: RemoteFileImport): Promise<JobRecord> => {
  const { deps, caller, idempotency } = start;
  const unreachable = deps.unreachable(body);
  if (unreachable !== null) throw invalid(['body', ...unreachable.path], unreachable.problem);
  const index = await requireGrowableIndex(deps.indexes, caller.organizationId, indexId);
  requireModel(deps.models, index);
  const stored = storedIn(body);
  if (stored !== null) await requireStored(deps.stored, caller, body.provider, stored);
  const firstId = idempotency.id('job');
  if (body.provider !== 'export') return createFileImport(start, index, firstId, body);
  const files = partsOfExport(await requireImportable(start, index, body), body);
  const jobs: JobRecord[] = [];
  await inParallel([...files.entries()], filesAtOnce, async ([at, file]) => {
    const id = at === 0 ? firstId : derivedId('job', idempotency.at, firstId, String(at));
    jobs[at] = await createFileImport(start, index, id, file);
  });
  const [first] = jobs;
  if (first === undefined) throw new Error('an export with files has a first file');
  return first;
};

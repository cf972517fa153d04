import { laterBy } from '../kernel/clock.ts';
import type { Deps } from '../kernel/capability.ts';
import { hourMs } from '../kernel/durations.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { filesWrite, type JobRecord, newJob, reserveJob, unknownType } from '../files/index.ts';
import { indexesRead, requireGrowableIndex } from '../indexes/index.ts';
import { usageWrite } from '../usage/index.ts';
import { importsSend } from './message.ts';
import { importsWrite } from './repository.ts';
import { importName, type RemoteFileImport } from './schemas.ts';

/** Capabilities that creating an import needs. */
export const createImportUses = {
  indexes: indexesRead,
  files: filesWrite,
  imports: importsWrite,
  queue: importsSend,
  usage: usageWrite,
};

const secretHours = 24;

interface Start {
  readonly deps: Deps<typeof createImportUses>;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
}

/**
 * Creates a job that waits for its file to be copied. The import is stored before the job: the sweep deletes an import
 * without a job, while a job without its import could never end. Throws 402, 404 and 409.
 */
export const createImport = async (start: Start, indexId: string, body: RemoteFileImport): Promise<JobRecord> => {
  const { deps, caller, idempotency } = start;
  const { organizationId } = caller;
  const index = await requireGrowableIndex(deps.indexes, organizationId, indexId);
  const job = newJob({
    id: idempotency.id('job'),
    organizationId,
    indexId: index.id,
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
  const expiresAt = laterBy(idempotency.at, secretHours * hourMs);
  await deps.imports.add(
    { organizationId, indexId, jobId: job.id, provider: body.provider, uri: body.uri, createdAt: job.createdAt },
    body.credentials === null ? null : { credentials: body.credentials, key: idempotency.secret(), expiresAt },
  );
  await deps.files.add(job);
  await deps.queue.send(job.region, { organizationId, indexId, jobId: job.id });
  return job;
};

import type * as z from 'zod';
import type { Deps } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { Principal } from '../http/principal.ts';
import type { indexesRead } from '../indexes/index.ts';
import { requireWritableIndex } from '../indexes/index.ts';
import type { contentPresign } from '../platform/aws/content.ts';
import type { PresignedUpload } from '../platform/aws/objects.ts';
import type { filesWrite } from './capabilities.ts';
import type { JobRecord } from './record.ts';
import { checksumAsBase64, type FileUploadCreate, uploadKey, uploadSeconds } from './upload.ts';

interface StartDeps extends Deps<{
  indexes: typeof indexesRead;
  files: typeof filesWrite;
  content: typeof contentPresign;
}> {}

/** Stores a job that awaits its upload, and the address that takes it. Throws 404 and 409. */
export const startUpload = async (
  { deps, caller, clock }: { readonly deps: StartDeps; readonly caller: Principal; readonly clock: Clock },
  indexId: string,
  body: z.output<typeof FileUploadCreate>,
): Promise<{ readonly job: JobRecord; readonly upload: PresignedUpload }> => {
  const index = await requireWritableIndex(deps.indexes, caller.organizationId, indexId);
  const at = clock.now();
  const id = newId('job', at);
  const objectKey = uploadKey({ organizationId: caller.organizationId, indexId, jobId: id });
  const checksum = body.checksum_sha256 ?? null;
  const job: JobRecord = {
    id,
    organizationId: caller.organizationId,
    indexId,
    region: index.region,
    filename: body.filename,
    contentType: body.content_type,
    source: 'upload',
    status: 'awaiting_upload',
    objectKey,
    sizeBytes: null,
    checksumSha256: checksum,
    metadata: {},
    tasksTotal: 0,
    done: new Set(),
    chunksWritten: 0,
    vectorsWritten: 0,
    invocations: new Set(),
    replacesJobId: null,
    replacedByJobId: null,
    error: null,
    errorCode: null,
    processing: null,
    createdAt: at.toISOString(),
    queuedAt: null,
    startedAt: null,
    completedAt: null,
  };
  await deps.files.add(job);
  const upload = await deps.content.presignPut(index.region, {
    key: objectKey,
    contentType: body.content_type,
    sha256: checksum === null ? null : checksumAsBase64(checksum),
    expiresInSeconds: uploadSeconds,
  });
  return { job, upload };
};

import { endpoint } from '../../shared/http/endpoint.ts';
import { applyChange, changeIndexUses, prefetchWritableIndex } from '../../shared/indexes/index.ts';
import { readerInvoke, versionAsOf } from '../../shared/reader/index.ts';
import { RestoreBody, RestoreResponse } from '../../shared/versions/index.ts';

/** Weight of a restore, which compares two versions. */
const restoreWeight = { rate: 10, inFlight: 10 };

export const restoreIndex = endpoint({
  id: 'restore-index',
  method: 'POST',
  path: '/v1/indexes/{index_id}/restore',
  tag: 'Versions',
  summary: 'Restore a version',
  description:
    'Makes a kept version the content again, as one new version: a search sees all of it or nothing, and it can be undone by another restore. Rows keep their versions. Rows of files that were deleted or replaced since stay away, and so do expired ones. Files that were added since keep their jobs without rows, which a retry writes again.',
  auth: { needs: 'write', unrestricted: true },
  audit: {
    action: 'index.restored',
    before: ({ path }) => ({ id: path.index_id }),
    details: ['as_of'],
  },
  errorCodes: ['plan_limit_reached', 'conflict', 'index_not_ready', 'not_supported_by_engine', 'version_not_kept'],
  rate: 'vector_writes',
  weight: () => restoreWeight,
  idempotent: true,
  uses: { ...changeIndexUses, reader: readerInvoke },
  body: RestoreBody,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 200,
  response: RestoreResponse,
  prefetch: prefetchWritableIndex,
  handle: async ({ deps, caller, prefetched, body, idempotency }) => {
    const index = await prefetched;
    await deps.waits.requireBelowLimit(index);
    const version = await versionAsOf(deps.reader, index, body.as_of);
    const change = { op: 'restore', version } as const;
    const { written, deleted, leftOut = 0 } = await applyChange({ deps, caller, idempotency }, index, () => change);
    return { version, vectors_written: written, vectors_deleted: deleted, left_out: leftOut };
  },
});

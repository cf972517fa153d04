import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { applyChange, changeIndexUses, prefetchWritableIndex } from '../../shared/indexes/index.ts';
import { conditionProblems, DeleteBody, DeleteResponse, filterProblems } from '../../shared/vectors/index.ts';

export const deleteVectors = endpoint({
  id: 'delete-vectors',
  method: 'POST',
  path: '/v1/indexes/{index_id}/vectors/delete',
  tag: 'Vectors',
  summary: 'Delete vectors',
  description:
    'Deletes by ids, by filter, or all. Returns when no search finds the vectors any more. `deleted` counts those that existed.',
  auth: { needs: 'write', servesBound: true },
  errorCodes: ['conflict', 'index_not_ready'],
  rate: 'vector_writes',
  idempotent: true,
  uses: changeIndexUses,
  body: DeleteBody,
  maxBodyBytes: maxBulkBodyBytes,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 200,
  response: DeleteResponse,
  prefetch: prefetchWritableIndex,
  problems: async ({ body: { filter }, sent, prefetched }) => [
    ...filterProblems(sent, await prefetched),
    ...conditionProblems(filter),
  ],
  handle: async ({ deps, caller, prefetched, body, idempotency }) => {
    const change =
      body.ids === undefined
        ? ({ op: 'delete', filter: body.filter ?? {} } as const)
        : ({ op: 'delete', ids: body.ids } as const);
    return { deleted: (await applyChange({ deps, caller, idempotency }, await prefetched, () => change)).deleted };
  },
});

import { expiryProblems, patchedExpiry } from '../../shared/http/expiry.ts';
import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { applyChange, changeIndexUses, prefetchWritableIndex, requireCaughtUp } from '../../shared/indexes/index.ts';
import { conditionProblems, filterProblems, UpdateWhereBody, UpdateWhereResponse } from '../../shared/vectors/index.ts';

export const updateVectorsByFilter = endpoint({
  id: 'update-vectors-by-filter',
  method: 'POST',
  path: '/v1/indexes/{index_id}/vectors/update-by-filter',
  tag: 'Vectors',
  summary: 'Update metadata by filter',
  description:
    'Merges metadata into all vectors that match, in one commit. Returns when searches see it. If the vectors are more than one commit can write, or the metadata of one would exceed 40 KiB, the response is a 409 and nothing is changed.',
  auth: { needs: 'write', servesBound: true },
  errorCodes: ['conflict', 'index_not_ready'],
  rate: 'vector_writes',
  idempotent: true,
  uses: changeIndexUses,
  body: UpdateWhereBody,
  maxBodyBytes: maxBulkBodyBytes,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 200,
  response: UpdateWhereResponse,
  prefetch: prefetchWritableIndex,
  problems: async ({ body, sent, prefetched, clock }) => [
    ...filterProblems(sent, await prefetched),
    ...conditionProblems(body.filter),
    ...expiryProblems(body, ['body'], clock.now()),
  ],
  handle: async ({ deps, caller, prefetched, body, idempotency }) => {
    const index = await prefetched;
    if (!idempotency.isRepeat) requireCaughtUp(index);
    const { filter, metadata, expires_at: expiresAt } = body;
    const change = { op: 'patch', filter, metadata: patchedExpiry(metadata, expiresAt) } as const;
    const { written, version } = await applyChange({ deps, caller, idempotency }, index, () => change);
    return { updated: written, version };
  },
});

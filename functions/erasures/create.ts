import {
  createErasure as create,
  createErasureUses,
  ErasureCreate,
  ErasureResponse,
  toErasureResponse,
} from '../../shared/erasures/index.ts';
import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { prefetchWritableIndex } from '../../shared/indexes/index.ts';
import { conditionProblems, filterProblems, hiddenKeyProblems } from '../../shared/vectors/index.ts';

/** Weight of an erasure, which reads all rows of an index. */
const erasureWeight = { rate: 10, inFlight: 10 };

export const createErasure = endpoint({
  id: 'create-erasure',
  method: 'POST',
  path: '/v1/indexes/{index_id}/erasures',
  tag: 'Erasures',
  summary: 'Erase rows and files',
  description:
    'Removes rows from every read, version and branch at once. Within 24 hours all that is left of them is removed: stored objects, former versions, exports, originals, texts, cached vectors and events. Each place is looked into afterwards. The receipt is signed, and does not name what was erased. Former versions from before are not readable any more, and branches become independent of their parent. A file is erased with its original if all of its rows are.',
  auth: { needs: 'write', unrestricted: true },
  audit: { action: 'erasure.created', after: ({ id }) => ({ id }) },
  errorCodes: ['conflict', 'index_not_ready'],
  rate: 'vector_writes',
  weight: () => erasureWeight,
  idempotent: true,
  uses: createErasureUses,
  body: ErasureCreate,
  maxBodyBytes: maxBulkBodyBytes,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 202,
  response: ErasureResponse,
  prefetch: prefetchWritableIndex,
  problems: async ({ body: { filter, subject }, sent, prefetched }) => {
    const index = await prefetched;
    const named = subject === undefined ? [] : [[subject.key, ['body', 'subject', 'key']] as const];
    return [...filterProblems(sent, index), ...conditionProblems(filter), ...hiddenKeyProblems(index, named)];
  },
  handle: async (call) => toErasureResponse(await create(call, await call.prefetched, call.body)),
});

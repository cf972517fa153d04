import { endpoint } from '../../shared/http/endpoint.ts';
import { prefetchIndex, IndexResponse, indexesRead, toIndexResponse } from '../../shared/indexes/index.ts';

export const getIndex = endpoint({
  id: 'get-index',
  method: 'GET',
  path: '/v1/indexes/{index_id}',
  tag: 'Indexes',
  summary: 'Get an index',
  auth: { needs: 'read', servesBound: true },
  uses: { indexes: indexesRead },
  status: 200,
  response: IndexResponse,
  prefetch: prefetchIndex,
  handle: async ({ prefetched, caller }) => toIndexResponse(await prefetched, caller.bounds),
});

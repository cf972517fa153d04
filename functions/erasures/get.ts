import { ErasureResponse, erasuresRead, requireErasure, toErasureResponse } from '../../shared/erasures/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';

export const getErasure = endpoint({
  id: 'get-erasure',
  method: 'GET',
  path: '/v1/indexes/{index_id}/erasures/{erasure_id}',
  tag: 'Erasures',
  summary: 'Get an erasure',
  description:
    'Returns what was found by place, and the receipt once nothing is left. It ends with the index: keep the receipt.',
  auth: { needs: 'read', unrestricted: true },
  uses: { indexes: indexesRead, erasures: erasuresRead },
  status: 200,
  response: ErasureResponse,
  handle: async ({ caller: { organizationId }, deps, path }) => {
    await requireIndex(deps.indexes, organizationId, path.index_id);
    const address = { organizationId, indexId: path.index_id, erasureId: path.erasure_id };
    return toErasureResponse(await requireErasure(deps.erasures, address));
  },
});

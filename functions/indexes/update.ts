import { endpoint } from '../../shared/http/endpoint.ts';
import {
  IndexResponse,
  IndexUpdate,
  renameIndex,
  renameIndexUses,
  toIndexResponse,
} from '../../shared/indexes/index.ts';

export const updateIndex = endpoint({
  id: 'update-index',
  method: 'PATCH',
  path: '/v1/indexes/{index_id}',
  tag: 'Indexes',
  summary: 'Rename an index',
  description: 'Only the name can be changed; any other field is a 422. Emits `index.updated`.',
  auth: { needs: 'write' },
  uses: renameIndexUses,
  body: IndexUpdate,
  status: 200,
  response: IndexResponse,
  handle: async ({ caller, deps, clock, path, body }) =>
    toIndexResponse(
      await renameIndex({ deps, clock, organizationId: caller.organizationId }, path.index_id, body.name),
    ),
});

import { endpoint } from '../../shared/http/endpoint.ts';
import {
  IndexResponse,
  IndexUpdate,
  toIndexResponse,
  updateIndexRecord,
  updateIndexUses,
} from '../../shared/indexes/index.ts';

export const updateIndex = endpoint({
  id: 'update-index',
  method: 'PATCH',
  path: '/v1/indexes/{index_id}',
  tag: 'Indexes',
  summary: 'Update an index',
  description:
    'Changes the name, what searches use by default, the key by which usage is counted, the default expiry, or the log of searches. Any other field is a 422. Emits `index.updated`.',
  auth: { needs: 'write' },
  audit: {
    action: 'index.updated',
    before: ({ path }) => ({ id: path.index_id }),
    after: ({ name }) => ({ name }),
    details: ['name', 'search_defaults', 'usage_key', 'ttl_seconds', 'version_days', 'query_log'],
  },
  uses: updateIndexUses,
  body: IndexUpdate,
  status: 200,
  response: IndexResponse,
  handle: async ({ caller, deps, clock, path, body }) =>
    toIndexResponse(
      await updateIndexRecord({ deps, clock, organizationId: caller.organizationId }, path.index_id, body),
    ),
});

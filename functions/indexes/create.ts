import { endpoint } from '../../shared/http/endpoint.ts';
import {
  createIndexRecord,
  createIndexUses,
  IndexCreate,
  IndexResponse,
  modelProblems,
  regionProblems,
  toIndexResponse,
  usageKeyProblems,
} from '../../shared/indexes/index.ts';

export const createIndex = endpoint({
  id: 'create-index',
  method: 'POST',
  path: '/v1/indexes',
  tag: 'Indexes',
  summary: 'Create an index',
  description:
    'Returns at once. `index.created` reports that the index is ready. Earlier changes are queued and not lost.',
  auth: { needs: 'write', unrestricted: true },
  audit: {
    action: 'index.created',
    before: ({ body }) => ({ name: body.name }),
    after: ({ id }) => ({ id }),
    details: ['dimensions', 'embedding_model', 'cloud_region', 'engine', 'usage_key', 'ttl_seconds', 'version_days'],
  },
  errorCodes: ['plan_limit_reached', 'feature_not_in_plan', 'conflict', 'name_taken'],
  idempotent: true,
  uses: createIndexUses,
  ignoresUnknownFields: true,
  body: IndexCreate,
  status: 201,
  response: IndexResponse,
  alternative: {
    status: 200,
    response: IndexResponse,
    description: 'The existing index of this name, with `if_exists: return`. Nothing was created.',
  },
  problems: ({ body, deps }) => [
    ...regionProblems('cloud_region', body.cloud_region, deps.regions),
    ...modelProblems(body, deps.models),
    ...usageKeyProblems(body.usage_key, body.non_filterable_metadata_keys ?? []),
  ],
  handle: async (call) => {
    const { index, isNew } = await createIndexRecord(call, call.body);
    const body = toIndexResponse(index);
    return isNew ? body : { status: 200, body };
  },
});

import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';
import { readerInvoke } from '../../shared/reader/index.ts';
import { FetchBody, FetchResponse, toVectorRecord } from '../../shared/vectors/index.ts';

export const fetchVectors = endpoint({
  id: 'fetch-vectors',
  method: 'POST',
  path: '/v1/indexes/{index_id}/vectors/fetch',
  tag: 'Vectors',
  summary: 'Fetch vectors by id',
  description: 'In the order of the ids; ids that are not there are left out.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, reader: readerInvoke },
  body: FetchBody,
  status: 200,
  response: FetchResponse,
  handle: async ({ caller, deps, path, body }) => {
    const index = await requireIndex(deps.indexes, caller.organizationId, path.index_id);
    const { rows } = await deps.reader.ask(index, { op: 'fetch', ids: body.ids, include_vector: body.include_vectors });
    return { vectors: rows.map(toVectorRecord) };
  },
});

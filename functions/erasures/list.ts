import * as z from 'zod';
import { ErasureResponse, erasuresRead, toErasureResponse } from '../../shared/erasures/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';

export const listErasures = endpoint({
  id: 'list-erasures',
  method: 'GET',
  path: '/v1/indexes/{index_id}/erasures',
  tag: 'Erasures',
  summary: 'List erasures',
  description: 'Newest first.',
  auth: { needs: 'read', unrestricted: true },
  uses: { indexes: indexesRead, erasures: erasuresRead },
  query: pageQueryOf('era'),
  status: 200,
  response: z.array(ErasureResponse),
  handle: async ({ caller: { organizationId }, deps, path, query }) => {
    await requireIndex(deps.indexes, organizationId, path.index_id);
    const { erasures, next } = await deps.erasures.list(organizationId, path.index_id, toPageRequest(query));
    return { body: erasures.map(toErasureResponse), headers: nextCursorHeader(next) };
  },
});

import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';
import { RebuildResponse, rebuildsRead, toRebuildResponse } from '../../shared/rebuilds/index.ts';

export const listRebuilds = endpoint({
  id: 'list-rebuilds',
  method: 'GET',
  path: '/v1/indexes/{index_id}/rebuilds',
  tag: 'Rebuilds',
  summary: 'List rebuilds',
  description: 'Newest first.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, rebuilds: rebuildsRead },
  query: pageQueryOf('reb'),
  status: 200,
  response: z.array(RebuildResponse),
  handle: async ({ caller: { organizationId }, deps, path, query }) => {
    await requireIndex(deps.indexes, organizationId, path.index_id);
    const { rebuilds, next } = await deps.rebuilds.list(organizationId, path.index_id, toPageRequest(query));
    return { body: rebuilds.map(toRebuildResponse), headers: nextCursorHeader(next) };
  },
});

import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';
import { RebuildResponse, rebuildsRead, requireRebuild, toRebuildResponse } from '../../shared/rebuilds/index.ts';

export const getRebuild = endpoint({
  id: 'get-rebuild',
  method: 'GET',
  path: '/v1/indexes/{index_id}/rebuilds/{rebuild_id}',
  tag: 'Rebuilds',
  summary: 'Get a rebuild',
  description: 'Returns the rebuild with its progress and its price so far.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, rebuilds: rebuildsRead },
  status: 200,
  response: RebuildResponse,
  handle: async ({ caller: { organizationId }, deps, path }) => {
    await requireIndex(deps.indexes, organizationId, path.index_id);
    const address = { organizationId, indexId: path.index_id, rebuildId: path.rebuild_id };
    return toRebuildResponse(await requireRebuild(deps.rebuilds, address));
  },
});

import { ConnectorOverview, connectorsRead, toConnectorOverview } from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';

export const listConnectors = endpoint({
  id: 'list-connectors',
  method: 'GET',
  path: '/v1/indexes/{index_id}/connectors',
  tag: 'Connectors',
  summary: 'List connectors',
  description: 'Returns the connectors of the index, newest first, and the available providers.',
  auth: { needs: 'read' },
  feature: 'connectors',
  uses: { indexes: indexesRead, connectors: connectorsRead },
  status: 200,
  response: ConnectorOverview,
  handle: async ({ caller, deps, path }) => {
    await requireIndex(deps.indexes, caller.organizationId, path.index_id);
    return toConnectorOverview(await deps.connectors.list(caller.organizationId, path.index_id));
  },
});

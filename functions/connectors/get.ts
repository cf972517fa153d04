import {
  ConnectorResponse,
  connectorsRead,
  requireConnector,
  toConnectorResponse,
} from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const getConnector = endpoint({
  id: 'get-connector',
  method: 'GET',
  path: '/v1/indexes/{index_id}/connectors/{connection_id}',
  tag: 'Connectors',
  summary: 'Get a connector',
  description: 'Returns a connector with the progress of its running sync.',
  auth: { needs: 'read' },
  feature: 'connectors',
  uses: { indexes: indexesRead, connectors: connectorsRead },
  status: 200,
  response: ConnectorResponse,
  handle: async ({ caller, deps, path }) => {
    const address = {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      connectionId: path.connection_id,
    };
    return toConnectorResponse(await requireConnector(deps, address));
  },
});

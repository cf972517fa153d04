import {
  ConnectorResponse,
  connectorsChange,
  ConnectorUpdate,
  syncSend,
  toConnectorResponse,
  updateConnection,
} from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const updateConnector = endpoint({
  id: 'update-connector',
  method: 'PATCH',
  path: '/v1/indexes/{index_id}/connectors/{connection_id}',
  tag: 'Connectors',
  summary: 'Change name, interval or metadata of a connector',
  description:
    'Absent fields stay. A new interval counts from the last sync. New metadata starts a sync that processes every document again, each as a file job.',
  auth: { needs: 'write' },
  audit: {
    action: 'connector.updated',
    before: ({ path }) => ({ id: path.connection_id }),
    after: ({ name }) => ({ name }),
    details: ['name', 'sync_interval_minutes', 'metadata'],
  },
  feature: 'connectors',
  uses: { indexes: indexesRead, connectors: connectorsChange, syncs: syncSend },
  body: ConnectorUpdate,
  status: 200,
  response: ConnectorResponse,
  handle: async ({ caller, deps, path, body }) => {
    const address = {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      connectionId: path.connection_id,
    };
    return toConnectorResponse(await updateConnection(deps, address, body));
  },
});

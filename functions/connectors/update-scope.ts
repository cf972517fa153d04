import {
  auditedConnector,
  changeScope,
  ConnectorChange,
  connectorsChange,
  ConnectorScopeUpdate,
  syncSend,
  toAcknowledgement,
} from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const updateConnectorScope = endpoint({
  id: 'update-connector-scope',
  method: 'PUT',
  path: '/v1/indexes/{index_id}/connectors/{connection_id}/scope',
  tag: 'Connectors',
  summary: 'Set the scope of a connector',
  description:
    'Replaces the whole scope and starts a sync, which removes documents that are out of scope. A paused connector stays paused.',
  auth: { needs: 'write' },
  audit: { action: 'connector.scope_updated', before: auditedConnector },
  feature: 'connectors',
  uses: { indexes: indexesRead, connectors: connectorsChange, syncs: syncSend },
  body: ConnectorScopeUpdate,
  status: 202,
  response: ConnectorChange,
  handle: async ({ caller, deps, path, body }) => {
    const address = {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      connectionId: path.connection_id,
    };
    return toAcknowledgement(await changeScope(deps, address, body));
  },
});

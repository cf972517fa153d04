import {
  auditedConnector,
  ConnectorChange,
  connectorsChange,
  pauseConnection,
  syncSend,
  toAcknowledgement,
} from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const pauseConnector = endpoint({
  id: 'pause-connector',
  method: 'POST',
  path: '/v1/indexes/{index_id}/connectors/{connection_id}/pause',
  tag: 'Connectors',
  summary: 'Pause a connector',
  description:
    'Stops syncing until the connector is resumed; indexed documents stay. Safe to repeat. A connector without a scope is a 409.',
  auth: { needs: 'write' },
  audit: { action: 'connector.paused', before: auditedConnector },
  errorCodes: ['conflict'],
  uses: { indexes: indexesRead, connectors: connectorsChange, syncs: syncSend },
  status: 202,
  response: ConnectorChange,
  handle: async ({ caller, deps, path }) => {
    const address = {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      connectionId: path.connection_id,
    };
    return toAcknowledgement(await pauseConnection(deps, address));
  },
});

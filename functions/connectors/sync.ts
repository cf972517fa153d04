import {
  auditedConnector,
  ConnectorChange,
  connectorsChange,
  syncConnection,
  syncSend,
  toAcknowledgement,
} from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const syncConnector = endpoint({
  id: 'sync-connector',
  method: 'POST',
  path: '/v1/indexes/{index_id}/connectors/{connection_id}/sync',
  tag: 'Connectors',
  summary: 'Sync a connector now',
  description:
    'Reads the changes since the last sync, before the next one is due. A running sync continues, and a connector that stopped with an error is resumed. A paused connector, or one without a scope, is a 409.',
  auth: { needs: 'write' },
  audit: { action: 'connector.sync_requested', before: auditedConnector },
  errorCodes: ['conflict'],
  feature: 'connectors',
  uses: { indexes: indexesRead, connectors: connectorsChange, syncs: syncSend },
  status: 202,
  response: ConnectorChange,
  handle: async ({ caller, deps, path }) => {
    const address = {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      connectionId: path.connection_id,
    };
    return toAcknowledgement(await syncConnection(deps, address));
  },
});

import {
  auditedConnector,
  ConnectorChange,
  connectorsChange,
  resumeConnection,
  syncSend,
  toAcknowledgement,
} from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const resumeConnector = endpoint({
  id: 'resume-connector',
  method: 'POST',
  path: '/v1/indexes/{index_id}/connectors/{connection_id}/resume',
  tag: 'Connectors',
  summary: 'Resume a connector',
  description:
    'Syncs a paused connector, or one with an error, again and retries failed documents. Safe to repeat. A connector without a scope is a 409.',
  auth: { needs: 'write' },
  audit: { action: 'connector.resumed', before: auditedConnector },
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
    return toAcknowledgement(await resumeConnection(deps, address));
  },
});

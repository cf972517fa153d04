import {
  auditedConnector,
  ConnectorChange,
  ConnectorReconnect,
  createConnectorUses,
  endpointProblems,
  reconnect,
  requireConnector,
  toAcknowledgement,
  withStoredCredentials,
} from '../../shared/connectors/index.ts';
import { requireStored, storedIn } from '../../shared/source-credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const reconnectConnector = endpoint({
  id: 'reconnect-connector',
  method: 'PUT',
  path: '/v1/indexes/{index_id}/connectors/{connection_id}/credentials',
  tag: 'Connectors',
  summary: 'Replace the credentials of a connector',
  description:
    'Replaces credentials that no longer work; for a custom API its whole description. Scope and documents stay, and a sync reads everything in scope. A paused connector stays paused. A 409 if the connector reads another provider.',
  auth: { needs: 'write' },
  audit: { action: 'connector.credentials_replaced', before: auditedConnector, details: ['provider'] },
  errorCodes: ['conflict'],
  feature: 'connectors',
  uses: createConnectorUses,
  body: ConnectorReconnect,
  status: 202,
  response: ConnectorChange,
  problems: ({ body, deps }) => endpointProblems(body, deps.allowLocal),
  handle: async ({ caller, deps, path, body }) => {
    const { provider, ...source } = body;
    const { index_id: indexId, connection_id: connectionId } = path;
    const address = { organizationId: caller.organizationId, indexId, connectionId };
    const stored = storedIn(body);
    const replace = () => reconnect(deps, address, provider, source);
    if (stored === null) return toAcknowledgement(await replace());
    await requireConnector(deps, address);
    await requireStored(deps.stored, caller, provider, stored);
    // Without the credentials the connector stops with an error, which is not undone.
    const use = { name: stored, user: { indexId, connectionId } };
    const undo = () => Promise.resolve();
    return toAcknowledgement(await withStoredCredentials(deps, caller.organizationId, use, replace, undo));
  },
});

import { auditedConnector, credentialStore, syncSend } from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';
import { notFound } from '../../shared/kernel/errors.ts';

export const deleteConnector = endpoint({
  id: 'delete-connector',
  method: 'DELETE',
  path: '/v1/indexes/{index_id}/connectors/{connection_id}',
  tag: 'Connectors',
  summary: 'Remove a connector',
  description:
    'Deletes the credentials at once and hides the connector from every list. Its content is then removed from the index.',
  auth: { needs: 'write' },
  audit: { action: 'connector.deleted', before: auditedConnector },
  uses: { indexes: indexesRead, connectors: credentialStore, syncs: syncSend },
  status: 204,
  handle: async ({ caller, deps, path }) => {
    const { organizationId } = caller;
    await requireIndex(deps.indexes, organizationId, path.index_id);
    const address = { organizationId, indexId: path.index_id, connectionId: path.connection_id };
    if (!(await deps.connectors.remove(address))) throw notFound('Connector');
    await deps.syncs.send(address);
    return undefined;
  },
});

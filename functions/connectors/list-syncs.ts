import * as z from 'zod';
import {
  connectorReportsRead,
  connectorsRead,
  ConnectorSyncResponse,
  requireConnector,
} from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const listConnectorSyncs = endpoint({
  id: 'list-connector-syncs',
  method: 'GET',
  path: '/v1/indexes/{index_id}/connectors/{connection_id}/syncs',
  tag: 'Connectors',
  summary: 'List the syncs of a connector',
  description: 'Returns ended syncs, newest first, with what they changed. They are kept for 30 days.',
  auth: { needs: 'read' },
  feature: 'connectors',
  uses: { indexes: indexesRead, connectors: connectorsRead, reports: connectorReportsRead },
  query: pageQueryOf('sync'),
  status: 200,
  response: z.array(ConnectorSyncResponse),
  handle: async ({ caller, deps, path, query }) => {
    const address = {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      connectionId: path.connection_id,
    };
    await requireConnector(deps, address);
    const { syncs, next } = await deps.reports.syncs(address, toPageRequest(query));
    return { body: [...syncs], headers: nextCursorHeader(next) };
  },
});

import * as z from 'zod';
import {
  connectorReportsRead,
  connectorsRead,
  requireConnector,
  UnreadItemResponse,
} from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cursorOf, nextCursorHeader, PageQuery, paginate, toPageRequest } from '../../shared/http/pagination.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const listUnreadItems = endpoint({
  id: 'list-unread-items',
  method: 'GET',
  path: '/v1/indexes/{index_id}/connectors/{connection_id}/unread-items',
  tag: 'Connectors',
  summary: 'List what a connector could not read',
  description:
    'Returns each document, channel, folder or other place that could not be read, with the reason, in no particular order. At most 1,000 are kept, the latest. Documents whose file job failed are among them from the next sync on.',
  auth: { needs: 'read' },
  feature: 'connectors',
  uses: { indexes: indexesRead, connectors: connectorsRead, reports: connectorReportsRead },
  query: PageQuery.extend({ cursor: cursorOf(/^[\w-]{12}$/) }),
  status: 200,
  response: z.array(UnreadItemResponse),
  handle: async ({ caller, deps, path, query }) => {
    const address = {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      connectionId: path.connection_id,
    };
    await requireConnector(deps, address);
    const { items, next } = paginate(await deps.reports.unread(address), ({ id }) => id, toPageRequest(query));
    return { body: [...items], headers: nextCursorHeader(next) };
  },
});

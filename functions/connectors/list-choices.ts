import * as z from 'zod';
import {
  browserInvoke,
  ChoiceResponse,
  connectorsRead,
  listChoices,
  requireConnector,
} from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cursorOf, nextCursorHeader, readCursor } from '../../shared/http/pagination.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

const Query = z.strictObject({
  parent: z.string().min(1).max(4096).optional().meta({
    description:
      '`parent` of an earlier choice, to list what is below it, or the address of a bucket. If absent: the top.',
  }),
  q: z
    .string()
    .max(255)
    .optional()
    .meta({ description: 'Part of a name. Notion, SharePoint at the top and Google Drive search all that they give.' }),
  cursor: cursorOf(/./su),
});

export const listConnectorChoices = endpoint({
  id: 'list-connector-choices',
  method: 'GET',
  path: '/v1/indexes/{index_id}/connectors/{connection_id}/choices',
  tag: 'Connectors',
  summary: 'List what a scope can contain',
  description:
    'Asks the source for channels, pages, data sources, folders, files, sites and libraries that the connector can read, a page at a time. A 409 if the source has nothing to choose, such as a calendar, or no longer grants access. A 503 with `Retry-After` if it is busy.',
  auth: { needs: 'write' },
  errorCodes: ['conflict', 'unavailable'],
  feature: 'connectors',
  uses: { indexes: indexesRead, connectors: connectorsRead, browse: browserInvoke },
  query: Query,
  status: 200,
  response: z.array(ChoiceResponse),
  handle: async ({ caller, deps, path, query }) => {
    const address = {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      connectionId: path.connection_id,
    };
    await requireConnector(deps, address);
    const { choices, next } = await listChoices(deps.browse, {
      organization_id: address.organizationId,
      index_id: address.indexId,
      connection_id: address.connectionId,
      parent: query.parent ?? null,
      cursor: query.cursor === undefined ? null : readCursor(query.cursor),
      search: query.q ?? '',
    });
    return { body: [...choices], headers: nextCursorHeader(next) };
  },
});

import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursor, PageQuery, toPage } from '../../shared/http/page.ts';
import { IndexResponse, indexesRead, toIndexResponse } from '../../shared/indexes/index.ts';

export const listIndexes = endpoint({
  id: 'list-indexes',
  method: 'GET',
  path: '/v1/indexes',
  tag: 'Indexes',
  summary: 'List indexes',
  description: 'Newest first. Credentials that are restricted to indexes see these alone.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead },
  query: PageQuery,
  status: 200,
  response: z.array(IndexResponse),
  handle: async ({ caller, deps, query }) => {
    const { indexes, next } = await deps.indexes.list(caller.organizationId, toPage(query));
    const visible = indexes.filter(({ id }) => caller.indexIds === null || caller.indexIds.includes(id));
    return { body: visible.map(toIndexResponse), headers: nextCursor(next) };
  },
});

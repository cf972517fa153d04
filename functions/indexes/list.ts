import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, paginate, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';
import { type IndexReader, IndexResponse, indexesRead, isLive, toIndexResponse } from '../../shared/indexes/index.ts';

/** Returns the existing indexes with these ids, newest first. */
const onlyThese = async (indexes: IndexReader, organizationId: string, ids: readonly string[]) => {
  const found = await Promise.all([...new Set(ids)].map((id) => indexes.get(organizationId, id)));
  return found.filter((index) => isLive(index)).toSorted((a, b) => (a.id < b.id ? 1 : -1));
};

export const listIndexes = endpoint({
  id: 'list-indexes',
  method: 'GET',
  path: '/v1/indexes',
  tag: 'Indexes',
  summary: 'List indexes',
  description:
    'Newest first. Credentials that are restricted to some indexes see only those. Credentials that are bound to rows see those in their `index_ids`, and none without.',
  auth: { needs: 'read', servesBound: true },
  uses: { indexes: indexesRead },
  query: pageQueryOf('idx'),
  status: 200,
  response: z.array(IndexResponse),
  handle: async ({ caller, deps, query }) => {
    const { organizationId, indexIds, bounds } = caller;
    if (indexIds === null && bounds !== null) return { body: [] };
    if (indexIds === null) {
      const { indexes, next } = await deps.indexes.list(organizationId, toPageRequest(query));
      return { body: indexes.map((index) => toIndexResponse(index)), headers: nextCursorHeader(next) };
    }
    const visible = await onlyThese(deps.indexes, organizationId, indexIds);
    const { items, next } = paginate(visible, ({ id }) => id, toPageRequest(query), 'descending');
    return { body: items.map((index) => toIndexResponse(index, bounds)), headers: nextCursorHeader(next) };
  },
});

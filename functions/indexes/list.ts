import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { nextCursorHeader, paginate, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';
import {
  containsText,
  dependentsOf,
  type IndexReader,
  IndexResponse,
  indexesRead,
  isLive,
  toIndexResponse,
} from '../../shared/indexes/index.ts';

/** Returns the existing indexes with these ids, newest first. Concurrent reads share batches. */
const onlyThese = async (indexes: IndexReader, organizationId: string, ids: readonly string[]) => {
  const found = await Promise.all([...new Set(ids)].map((id) => indexes.get(organizationId, id)));
  return found.filter((index) => isLive(index)).toSorted((a, b) => (a.id < b.id ? 1 : -1));
};

/** Returns the ids of the branches of an index; none if it does not exist. */
const branchesOf = async (indexes: IndexReader, organizationId: string, id: string): Promise<readonly string[]> => {
  const parent = await indexes.get(organizationId, id);
  return isLive(parent) ? dependentsOf(parent).map(({ branchId }) => branchId) : [];
};

const IndexesQuery = pageQueryOf('idx').extend({
  q: z.string().min(1).max(255).optional().describe('Only indexes whose name contains this text, in any case.'),
  parent_index_id: z.string().min(1).max(64).optional().describe('Only branches of this index.'),
});

/**
 * Returns the ids among which a list is, if they are known without reading all indexes: of the indexes of a restricted
 * caller, and of the branches of an index. Null: all indexes.
 */
const idsOf = async (
  indexes: IndexReader,
  { organizationId, indexIds }: Pick<Principal, 'organizationId' | 'indexIds'>,
  parentId: string | undefined,
): Promise<readonly string[] | null> => {
  if (parentId === undefined) return indexIds;
  if (indexIds !== null && !indexIds.includes(parentId)) return [];
  const branches = await branchesOf(indexes, organizationId, parentId);
  return indexIds === null ? branches : branches.filter((id) => indexIds.includes(id));
};

export const listIndexes = endpoint({
  id: 'list-indexes',
  method: 'GET',
  path: '/v1/indexes',
  tag: 'Indexes',
  summary: 'List indexes',
  description:
    'Newest first. With `q`, the names of all indexes are read. Credentials that are restricted to some indexes see only those. Credentials that are bound to rows see those in their `index_ids`, and none without.',
  auth: { needs: 'read', servesBound: true },
  uses: { indexes: indexesRead },
  query: IndexesQuery,
  status: 200,
  response: z.array(IndexResponse),
  handle: async ({ caller, deps, query }) => {
    const { organizationId, bounds } = caller;
    const { q: nameContains, parent_index_id: parentId } = query;
    if (caller.indexIds === null && bounds !== null) return { body: [] };
    const page = toPageRequest(query);
    const ids = await idsOf(deps.indexes, caller, parentId);
    if (ids === null) {
      const { indexes, next } = await deps.indexes.list(organizationId, { ...page, nameContains });
      return { body: indexes.map((index) => toIndexResponse(index)), headers: nextCursorHeader(next) };
    }
    const found = await onlyThese(deps.indexes, organizationId, ids);
    const visible = found.filter(
      ({ name, parentIndexId }) =>
        containsText(name, nameContains ?? '') && (parentId === undefined || parentIndexId === parentId),
    );
    const { items, next } = paginate(visible, ({ id }) => id, page, 'descending');
    return { body: items.map((index) => toIndexResponse(index, bounds)), headers: nextCursorHeader(next) };
  },
});

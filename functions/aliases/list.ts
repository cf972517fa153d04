import * as z from 'zod';
import { AliasResponse, aliasesRead, toAliasResponse } from '../../shared/aliases/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cursorOf, nextCursorHeader, PageQuery, paginate, toPageRequest } from '../../shared/http/pagination.ts';
import { aliasPattern } from '../../shared/kernel/ids.ts';

export const listAliases = endpoint({
  id: 'list-aliases',
  method: 'GET',
  path: '/v1/aliases',
  tag: 'Indexes',
  summary: 'List aliases',
  description: 'In order of name. Credentials that are restricted to some indexes see only the aliases of those.',
  auth: { needs: 'read' },
  uses: { aliases: aliasesRead },
  query: PageQuery.extend({ cursor: cursorOf(aliasPattern) }),
  status: 200,
  response: z.array(AliasResponse),
  handle: async ({ caller, deps, query }) => {
    const { organizationId, indexIds } = caller;
    const page = toPageRequest(query);
    if (indexIds === null) {
      const { aliases, next } = await deps.aliases.list(organizationId, page);
      return { body: aliases.map(toAliasResponse), headers: nextCursorHeader(next) };
    }
    // The cursor of a page is the name of its last alias, so hidden names are left out before.
    const visible = await deps.aliases.of(organizationId, indexIds);
    const { items, next } = paginate(visible, ({ name }) => name, page);
    return { body: items.map(toAliasResponse), headers: nextCursorHeader(next) };
  },
});

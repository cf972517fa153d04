import * as z from 'zod';
import { AliasResponse, aliasesRead, toAliasResponse } from '../../shared/aliases/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cursorOf, nextCursorHeader, PageQuery, toPageRequest } from '../../shared/http/pagination.ts';
import { aliasPattern } from '../../shared/kernel/ids.ts';

export const listAliases = endpoint({
  id: 'list-aliases',
  method: 'GET',
  path: '/v1/aliases',
  tag: 'Indexes',
  summary: 'List aliases',
  description:
    'In order of name. For credentials that are restricted to some indexes, a page leaves out the aliases of others.',
  auth: { needs: 'read' },
  uses: { aliases: aliasesRead },
  query: PageQuery.extend({ cursor: cursorOf(aliasPattern) }),
  status: 200,
  response: z.array(AliasResponse),
  handle: async ({ caller, deps, query }) => {
    const { aliases, next } = await deps.aliases.list(caller.organizationId, toPageRequest(query));
    const visible = aliases.filter(({ indexId }) => caller.indexIds?.includes(indexId) ?? true);
    return { body: visible.map(toAliasResponse), headers: nextCursorHeader(next) };
  },
});

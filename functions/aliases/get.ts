import { AliasResponse, aliasesRead, isVisibleTo, toAliasResponse } from '../../shared/aliases/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/kernel/errors.ts';

export const getAlias = endpoint({
  id: 'get-alias',
  method: 'GET',
  path: '/v1/aliases/{name}',
  tag: 'Indexes',
  summary: 'Get an alias',
  description: 'An alias of an index that the credentials may not use is a 404, like an unknown one.',
  auth: { needs: 'read' },
  uses: { aliases: aliasesRead },
  status: 200,
  response: AliasResponse,
  handle: async ({ caller, deps, path }) => {
    const alias = await deps.aliases.get(caller.organizationId, path.name);
    if (alias === null || !isVisibleTo(caller, alias)) throw notFound('Alias');
    return toAliasResponse(alias);
  },
});

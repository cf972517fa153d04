import { AliasResponse, aliasesRead, toAliasResponse } from '../../shared/aliases/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { AppError, notFound } from '../../shared/kernel/errors.ts';

export const getAlias = endpoint({
  id: 'get-alias',
  method: 'GET',
  path: '/v1/aliases/{name}',
  tag: 'Indexes',
  summary: 'Get an alias',
  auth: { needs: 'read' },
  errorCodes: ['index_not_allowed'],
  uses: { aliases: aliasesRead },
  status: 200,
  response: AliasResponse,
  handle: async ({ caller, deps, path }) => {
    const alias = await deps.aliases.get(caller.organizationId, path.name);
    if (alias === null) throw notFound('Alias');
    if (caller.indexIds?.includes(alias.indexId) === false)
      throw new AppError('index_not_allowed', 'These credentials may not use the index of the alias');
    return toAliasResponse(alias);
  },
});

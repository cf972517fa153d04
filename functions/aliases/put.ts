import { AliasName, AliasPut, AliasResponse, aliasesWrite, toAliasResponse } from '../../shared/aliases/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';
import { AppError, valueProblem } from '../../shared/kernel/errors.ts';

/** Aliases of an organization. Concurrent requests may exceed it by their number. */
const maxAliases = 1_000;

export const putAlias = endpoint({
  id: 'put-alias',
  method: 'PUT',
  path: '/v1/aliases/{name}',
  tag: 'Indexes',
  summary: 'Create or move an alias',
  description:
    'Paths accept the alias in place of an index id. A move is atomic: every request that begins after the response uses the new index. An organization has at most 1,000 aliases; more are a 409.',
  auth: { needs: 'write', unrestricted: true },
  audit: { action: 'alias.set', before: ({ path }) => ({ id: path.name, name: path.name }), details: ['index_id'] },
  errorCodes: ['conflict'],
  uses: { aliases: aliasesWrite, indexes: indexesRead },
  body: AliasPut,
  status: 200,
  response: AliasResponse,
  problems: ({ path }) =>
    (AliasName.safeParse(path.name).error?.issues ?? []).map(({ message }) => valueProblem(['path', 'name'], message)),
  handle: async ({ caller, clock, deps, path, body }) => {
    const { organizationId } = caller;
    const [index, existing] = await Promise.all([
      requireIndex(deps.indexes, organizationId, body.index_id),
      deps.aliases.get(organizationId, path.name),
    ]);
    if (existing === null && (await deps.aliases.count(organizationId)) >= maxAliases)
      throw new AppError('conflict', `The organization has ${maxAliases} aliases. Delete one first`);
    return toAliasResponse(await deps.aliases.put(organizationId, path.name, index.id, clock.now().toISOString()));
  },
});

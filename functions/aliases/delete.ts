import { aliasesWrite } from '../../shared/aliases/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/kernel/errors.ts';

export const deleteAlias = endpoint({
  id: 'delete-alias',
  method: 'DELETE',
  path: '/v1/aliases/{name}',
  tag: 'Indexes',
  summary: 'Delete an alias',
  description: 'Its index stays as it is.',
  auth: { needs: 'write', unrestricted: true },
  audit: { action: 'alias.deleted', before: ({ path }) => ({ id: path.name, name: path.name }) },
  uses: { aliases: aliasesWrite },
  status: 204,
  handle: async ({ caller, deps, path }) => {
    if (!(await deps.aliases.delete(caller.organizationId, path.name))) throw notFound('Alias');
    return undefined;
  },
});

import { credentialsWrite } from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/kernel/errors.ts';

export const revokeApiKey = endpoint({
  id: 'revoke-api-key',
  method: 'DELETE',
  path: '/v1/api-keys/{key_id}',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'Every following request with the key is refused.',
  auth: { needs: 'manage' },
  audit: {
    action: 'api_key.revoked',
    before: async ({ caller, deps, path }) => {
      const key = await deps.credentials.getKey(caller.organizationId, path.key_id);
      return { id: path.key_id, name: key?.name ?? null };
    },
  },
  uses: { credentials: credentialsWrite },
  status: 204,
  handle: async ({ caller, deps, path, clock }) => {
    if (!(await deps.credentials.revokeKey(caller.organizationId, path.key_id, clock.now().toISOString())))
      throw notFound('API key');
    return undefined;
  },
});

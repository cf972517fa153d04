import { oauthClientsWrite } from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/kernel/errors.ts';

export const revokeOauthClient = endpoint({
  id: 'revoke-oauth-client',
  method: 'DELETE',
  path: '/v1/oauth/clients/{client_id}',
  tag: 'OAuth',
  summary: 'Revoke an OAuth client',
  description:
    'The client gets no new tokens, and every following request with one of its tokens is refused. Idempotent.',
  auth: { needs: 'manage' },
  audit: {
    action: 'oauth_client.revoked',
    before: async ({ caller, deps, path }) => {
      const client = await deps.clients.get(caller.organizationId, path.client_id);
      return { id: path.client_id, name: client?.name ?? null };
    },
  },
  uses: { clients: oauthClientsWrite },
  status: 204,
  handle: async ({ caller, deps, path, clock }) => {
    if (!(await deps.clients.revoke(caller.organizationId, path.client_id, clock.now().toISOString())))
      throw notFound('OAuth client');
    return undefined;
  },
});

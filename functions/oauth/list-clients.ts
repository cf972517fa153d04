import * as z from 'zod';
import { OAuthClientResponse, oauthClientsRead } from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursor, pagesOf, toPage } from '../../shared/http/page.ts';

export const listOauthClients = endpoint({
  id: 'list-oauth-clients',
  method: 'GET',
  path: '/v1/oauth/clients',
  tag: 'OAuth',
  summary: 'List OAuth clients',
  description: 'Newest first, revoked ones included. Never their secrets.',
  auth: { needs: 'read' },
  uses: { clients: oauthClientsRead },
  query: pagesOf('oc'),
  status: 200,
  response: z.array(OAuthClientResponse),
  handle: async ({ caller, deps, query }) => {
    const { clients, next } = await deps.clients.list(caller.organizationId, toPage(query));
    const body = clients.map((client) => ({
      id: client.id,
      name: client.name,
      prefix: client.prefix,
      scopes: [...client.scopes],
      index_ids: client.indexIds === null ? null : [...client.indexIds],
      revoked_at: client.revokedAt,
      created_at: client.createdAt,
    }));
    return { body, headers: nextCursor(next) };
  },
});

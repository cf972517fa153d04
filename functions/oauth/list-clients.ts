import * as z from 'zod';
import {
  type OAuthClient,
  type OAuthClientReader,
  OAuthClientResponse,
  oauthClientsRead,
} from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursor, pagesOf, toPage } from '../../shared/http/page.ts';
import type { Principal } from '../../shared/http/principal.ts';

/** The client whose token calls; none where the caller has none. */
const ownClient = async (clients: OAuthClientReader, caller: Principal): Promise<readonly OAuthClient[]> => {
  const own = caller.kind === 'access_token' ? await clients.get(caller.organizationId, caller.subjectId) : null;
  return own === null ? [] : [own];
};

export const listOauthClients = endpoint({
  id: 'list-oauth-clients',
  method: 'GET',
  path: '/v1/oauth/clients',
  tag: 'OAuth',
  summary: 'List OAuth clients',
  description:
    'Newest first, revoked ones included. Never their secrets. A credential that is restricted to indexes finds its own client alone.',
  auth: { needs: 'read' },
  uses: { clients: oauthClientsRead },
  query: pagesOf('oc'),
  status: 200,
  response: z.array(OAuthClientResponse),
  handle: async ({ caller, deps, query }) => {
    const { clients, next } =
      caller.indexIds === null
        ? await deps.clients.list(caller.organizationId, toPage(query))
        : { clients: await ownClient(deps.clients, caller), next: null };
    const body = clients.map((client) => ({
      id: client.id,
      name: client.name,
      prefix: client.prefix,
      scopes: [...client.scopes],
      index_ids: client.indexIds === null ? null : [...client.indexIds],
      revoked_at: client.revokedAt,
      created_at: client.createdAt,
      created_by: client.creators.at(-1) ?? null,
    }));
    return { body, headers: nextCursor(next) };
  },
});

import * as z from 'zod';
import {
  type OAuthClient,
  type OAuthClientReader,
  OAuthClientResponse,
  oauthClientsRead,
  toShownBounds,
  toShownLimits,
} from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';
import type { Principal } from '../../shared/http/principal.ts';

/** Returns the OAuth client of the caller; none for another kind of credential. */
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
    'Lists OAuth clients, newest first, including revoked clients. The response never contains their secrets. A credential that is restricted to indexes or bound to rows gets only its own client.',
  auth: { needs: 'read', refusesApplications: true, servesBound: true },
  uses: { clients: oauthClientsRead },
  query: pageQueryOf('oc'),
  status: 200,
  response: z.array(OAuthClientResponse),
  handle: async ({ caller, deps, query }) => {
    const { clients, next } =
      caller.indexIds === null && caller.bounds === null
        ? await deps.clients.list(caller.organizationId, toPageRequest(query))
        : { clients: await ownClient(deps.clients, caller), next: null };
    const body = clients.map((client) => ({
      id: client.id,
      name: client.name,
      prefix: client.prefix,
      scopes: [...client.scopes],
      index_ids: client.indexIds === null ? null : [...client.indexIds],
      ...toShownBounds(client.bounds),
      ...toShownLimits(client.limits),
      revoked_at: client.revokedAt,
      created_at: client.createdAt,
      created_by: client.creators.at(-1) ?? null,
    }));
    return { body, headers: nextCursorHeader(next) };
  },
});

import {
  creatorsUnder,
  grantProblems,
  newToken,
  type OAuthClient,
  OAuthClientCreate,
  OAuthClientCreated,
  oauthClientsWrite,
  requireGrantable,
  restrictionOf,
  shownPrefix,
} from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const createOauthClient = endpoint({
  id: 'create-oauth-client',
  method: 'POST',
  path: '/v1/oauth/clients',
  tag: 'OAuth',
  summary: 'Create an OAuth client',
  description:
    'The answer carries the secret once, as `client_secret`. The client has the permissions of its creator as its `scopes`, and `index_ids` restricts it as it does a key. It never expires, so a key that does is refused. It ends with what created it: the membership of the user whose session it was, or the key or OAuth client.',
  auth: { needs: 'manage' },
  feature: 'oauth_clients',
  refuses: ['forbidden'],
  repeatable: true,
  uses: { clients: oauthClientsWrite, indexes: indexesRead },
  body: OAuthClientCreate,
  status: 201,
  response: OAuthClientCreated,
  problems: grantProblems,
  handle: async ({ caller, deps, body, creation }) => {
    requireGrantable(caller, { ...body, permissions: caller.permissions });
    const secret = newToken('client_secret', creation.secret());
    const client: OAuthClient = {
      id: creation.id('oc'),
      organizationId: caller.organizationId,
      name: body.name,
      prefix: shownPrefix(secret),
      scopes: caller.permissions,
      indexIds: restrictionOf(body),
      revokedAt: null,
      createdAt: creation.at.toISOString(),
      creators: creatorsUnder(caller),
    };
    await deps.clients.add(client, secret);
    return {
      id: client.id,
      name: client.name,
      client_id: client.id,
      client_secret: secret,
      scopes: [...client.scopes],
      index_ids: client.indexIds === null ? null : [...client.indexIds],
      created_at: client.createdAt,
    };
  },
});

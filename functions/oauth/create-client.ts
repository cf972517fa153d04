import {
  boundsOf,
  creatorsFor,
  grantProblems,
  limitsOf,
  newToken,
  type OAuthClient,
  OAuthClientCreate,
  OAuthClientCreated,
  oauthClientsWrite,
  requireGrantable,
  restrictionOf,
  shownPrefix,
  toShownBounds,
  toShownLimits,
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
    'The response contains the secret as `client_secret`, which is returned only once. The `scopes` of the client are the permissions of its creator, and `index_ids` restricts it to indexes. `filter` binds it to rows, with the scope `read` alone unless `id_prefix` is given. It never expires, so an API key with an expiry cannot create one. It ends with its creator: the membership of the user of the session, or the API key or OAuth client.',
  auth: { needs: 'manage' },
  audit: {
    action: 'oauth_client.created',
    before: ({ body }) => ({ name: body.name }),
    after: ({ id }) => ({ id }),
    details: ['index_ids', 'filter', 'id_prefix', 'rate_limits', 'in_flight', 'monthly_limits'],
  },
  feature: 'oauth_clients',
  errorCodes: ['forbidden'],
  idempotent: true,
  uses: { clients: oauthClientsWrite, indexes: indexesRead },
  body: OAuthClientCreate,
  returnsSecret: true,
  status: 201,
  response: OAuthClientCreated,
  problems: grantProblems,
  handle: async ({ caller, deps, body, idempotency }) => {
    requireGrantable(caller, { ...body, permissions: caller.permissions });
    const bounds = boundsOf(body);
    const secret = newToken('client_secret', idempotency.secret());
    const client: OAuthClient = {
      id: idempotency.id('oc'),
      organizationId: caller.organizationId,
      name: body.name,
      prefix: shownPrefix(secret),
      // Without a prefix of ids, a client that is bound to rows writes none.
      scopes: bounds !== null && bounds.idPrefix === null ? ['read'] : caller.permissions,
      indexIds: restrictionOf(body),
      bounds,
      limits: limitsOf(body),
      revokedAt: null,
      createdAt: idempotency.at.toISOString(),
      creators: creatorsFor(caller),
    };
    await deps.clients.add(client, secret);
    return {
      id: client.id,
      name: client.name,
      client_id: client.id,
      client_secret: secret,
      scopes: [...client.scopes],
      index_ids: client.indexIds === null ? null : [...client.indexIds],
      ...toShownBounds(client.bounds),
      ...toShownLimits(client.limits),
      created_at: client.createdAt,
    };
  },
});

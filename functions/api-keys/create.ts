import {
  type ApiKey,
  ApiKeyCreate,
  ApiKeyCreated,
  boundsOf,
  creatorsFor,
  credentialsWrite,
  grantProblems,
  limitsOf,
  newToken,
  requireGrantable,
  restrictionOf,
  shownPrefix,
  toShownBounds,
  toShownLimits,
  userTokenKeys,
} from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';
import { addWithinPlanLimit } from '../../shared/usage/index.ts';

export const createApiKey = endpoint({
  id: 'create-api-key',
  method: 'POST',
  path: '/v1/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'The response contains the key as `token`, which is returned only once. A key cannot have more permissions than its creator, and cannot outlive it. It ends with its creator: the membership of the user of the session, or the API key or OAuth client. With `filter`, the key is bound to rows: it can be given to one customer among the rows of many.',
  auth: { needs: 'manage' },
  audit: {
    action: 'api_key.created',
    before: ({ body }) => ({ name: body.name }),
    after: ({ id }) => ({ id }),
    details: [
      'permissions',
      'index_ids',
      'filter',
      'id_prefix',
      'rate_limits',
      'in_flight',
      'monthly_limits',
      'expires_at',
    ],
  },
  errorCodes: ['plan_limit_reached', 'forbidden'],
  idempotent: true,
  uses: { credentials: credentialsWrite, indexes: indexesRead, userTokens: userTokenKeys },
  body: ApiKeyCreate,
  returnsSecret: true,
  status: 201,
  response: ApiKeyCreated,
  problems: grantProblems,
  handle: async ({ caller, deps, body, idempotency }) => {
    requireGrantable(caller, body);
    const token = newToken('api_key', idempotency.secret());
    const key: ApiKey = {
      id: idempotency.id('key'),
      organizationId: caller.organizationId,
      name: body.name,
      prefix: shownPrefix(token),
      permissions: [...new Set(body.permissions)],
      indexIds: restrictionOf(body),
      bounds: boundsOf(body),
      limits: limitsOf(body),
      expiresAt: body.expires_at == null ? null : new Date(body.expires_at).toISOString(),
      revokedAt: null,
      createdAt: idempotency.at.toISOString(),
      creators: creatorsFor(caller),
    };
    const signingKey = await deps.userTokens.seal(key.id, token);
    await addWithinPlanLimit({
      plan: caller.plan,
      limit: 'api_keys',
      has: async () => (await deps.credentials.getKey(caller.organizationId, key.id)) !== null,
      add: (limit) => deps.credentials.addKey(key, token, signingKey, limit),
    });
    return {
      id: key.id,
      name: key.name,
      token,
      permissions: [...key.permissions],
      index_ids: key.indexIds === null ? null : [...key.indexIds],
      ...toShownBounds(key.bounds),
      ...toShownLimits(key.limits),
      expires_at: key.expiresAt,
      created_at: key.createdAt,
    };
  },
});

import {
  type ApiKey,
  ApiKeyCreate,
  ApiKeyCreated,
  creatorsUnder,
  credentialsWrite,
  grantProblems,
  newToken,
  requireGrantable,
  restrictionOf,
  shownPrefix,
} from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';
import { addWithinLimit } from '../../shared/usage/index.ts';

export const createApiKey = endpoint({
  id: 'create-api-key',
  method: 'POST',
  path: '/v1/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'The answer carries the key once, as `token`. A key can grant no more than its creator has, for no longer. It ends with what created it: the membership of the user whose session it was, or the key or OAuth client.',
  auth: { needs: 'manage' },
  refuses: ['plan_limit_reached', 'forbidden'],
  repeatable: true,
  uses: { credentials: credentialsWrite, indexes: indexesRead },
  body: ApiKeyCreate,
  status: 201,
  response: ApiKeyCreated,
  problems: grantProblems,
  handle: async ({ caller, deps, body, creation }) => {
    requireGrantable(caller, body);
    const token = newToken('api_key', creation.secret());
    const key: ApiKey = {
      id: creation.id('key'),
      organizationId: caller.organizationId,
      name: body.name,
      prefix: shownPrefix(token),
      permissions: [...new Set(body.permissions)],
      indexIds: restrictionOf(body),
      expiresAt: body.expires_at == null ? null : new Date(body.expires_at).toISOString(),
      revokedAt: null,
      createdAt: creation.at.toISOString(),
      creators: creatorsUnder(caller),
    };
    await addWithinLimit({
      plan: caller.plan,
      limit: 'api_keys',
      count: () => deps.credentials.countKeys(caller.organizationId),
      has: () => deps.credentials.isListed(key),
      add: (attempt) => deps.credentials.listKey(key, token, attempt),
      keep: (attempt) => deps.credentials.keepKey(key, attempt),
      undo: (attempt) => deps.credentials.unlistKey(key, attempt),
    });
    // A repeat of the request may have kept it and died before it came to work.
    await deps.credentials.activateKey(key, token);
    return {
      id: key.id,
      name: key.name,
      token,
      permissions: [...key.permissions],
      index_ids: key.indexIds === null ? null : [...key.indexIds],
      expires_at: key.expiresAt,
      created_at: key.createdAt,
    };
  },
});

import {
  type ApiKey,
  ApiKeyCreate,
  ApiKeyCreated,
  credentialsWrite,
  newToken,
  requireGrantable,
  shownPrefix,
} from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';
import { newId } from '../../shared/kernel/ids.ts';

export const createApiKey = endpoint({
  id: 'create-api-key',
  method: 'POST',
  path: '/v1/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  description: 'The answer carries the key once, as `token`. A key can grant no more than its creator has.',
  auth: { needs: 'manage' },
  uses: { credentials: credentialsWrite, indexes: indexesRead },
  body: ApiKeyCreate,
  status: 201,
  response: ApiKeyCreated,
  handle: async ({ caller, deps, body, clock }) => {
    await requireGrantable(deps, caller, body, clock);
    const token = newToken('api_key');
    const at = clock.now();
    const key: ApiKey = {
      id: newId('key', at),
      organizationId: caller.organizationId,
      name: body.name,
      prefix: shownPrefix(token),
      permissions: [...new Set(body.permissions)],
      indexIds: body.index_ids ?? null,
      expiresAt: body.expires_at == null ? null : new Date(body.expires_at).toISOString(),
      revokedAt: null,
      createdAt: at.toISOString(),
    };
    await deps.credentials.addKey(key, token);
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

import * as z from 'zod';
import { ApiKeyResponse, credentialsRead } from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const listApiKeys = endpoint({
  id: 'list-api-keys',
  method: 'GET',
  path: '/v1/api-keys',
  tag: 'API keys',
  summary: 'List API keys',
  description: 'Newest first, revoked ones included. Never the keys themselves.',
  auth: { needs: 'manage' },
  uses: { credentials: credentialsRead },
  status: 200,
  response: z.array(ApiKeyResponse),
  handle: async ({ caller, deps }) =>
    (await deps.credentials.listKeys(caller.organizationId)).map((key) => ({
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      permissions: [...key.permissions],
      index_ids: key.indexIds === null ? null : [...key.indexIds],
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
      created_at: key.createdAt,
    })),
});

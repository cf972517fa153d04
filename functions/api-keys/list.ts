import * as z from 'zod';
import { ApiKeyResponse, credentialsRead } from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursor, pagesOf, toPage } from '../../shared/http/page.ts';

export const listApiKeys = endpoint({
  id: 'list-api-keys',
  method: 'GET',
  path: '/v1/api-keys',
  tag: 'API keys',
  summary: 'List API keys',
  description: 'Newest first, revoked ones included. Never the keys themselves.',
  auth: { needs: 'read' },
  uses: { credentials: credentialsRead },
  query: pagesOf('key'),
  status: 200,
  response: z.array(ApiKeyResponse),
  handle: async ({ caller, deps, query }) => {
    const { keys, next } = await deps.credentials.listKeys(caller.organizationId, toPage(query));
    const body = keys.map((key) => ({
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      permissions: [...key.permissions],
      index_ids: key.indexIds === null ? null : [...key.indexIds],
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
      created_at: key.createdAt,
    }));
    return { body, headers: nextCursor(next) };
  },
});

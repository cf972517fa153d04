import * as z from 'zod';
import {
  type ApiKey,
  ApiKeyResponse,
  type CredentialReader,
  credentialsRead,
  keyUsesRead,
  toShownBounds,
  toShownLimits,
} from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';
import type { Principal } from '../../shared/http/principal.ts';

/** Returns the API key of the caller; none for another kind of credential. */
const ownKey = async (credentials: CredentialReader, caller: Principal): Promise<readonly ApiKey[]> => {
  const own = caller.kind === 'api_key' ? await credentials.getKey(caller.organizationId, caller.subjectId) : null;
  return own === null ? [] : [own];
};

export const listApiKeys = endpoint({
  id: 'list-api-keys',
  method: 'GET',
  path: '/v1/api-keys',
  tag: 'API keys',
  summary: 'List API keys',
  description:
    'Lists API keys, newest first, including revoked keys. The response never contains their values. A credential that is restricted to indexes or bound to rows gets only itself.',
  auth: { needs: 'read', refusesApplications: true, servesBound: true },
  uses: { credentials: credentialsRead, uses: keyUsesRead },
  query: pageQueryOf('key'),
  status: 200,
  response: z.array(ApiKeyResponse),
  handle: async ({ caller, deps, query }) => {
    const { keys, next } =
      caller.indexIds === null && caller.bounds === null
        ? await deps.credentials.listKeys(caller.organizationId, toPageRequest(query))
        : { keys: await ownKey(deps.credentials, caller), next: null };
    // Concurrent reads share batches.
    const used = await Promise.all(keys.map(({ id }) => deps.uses.lastUsedAt(caller.organizationId, id)));
    const body = keys.map((key, at) => ({
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      permissions: [...key.permissions],
      index_ids: key.indexIds === null ? null : [...key.indexIds],
      ...toShownBounds(key.bounds),
      ...toShownLimits(key.limits),
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
      last_used_at: used[at] ?? null,
      created_at: key.createdAt,
      created_by: key.creators.at(-1) ?? null,
    }));
    return { body, headers: nextCursorHeader(next) };
  },
});

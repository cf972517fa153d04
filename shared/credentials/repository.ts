import { textOf } from '../db/read-item.ts';
import { absent } from '../db/condition.ts';
import type { Runtime } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { type Added, limitedSet } from '../db/limited-set.ts';
import type { Permission } from '../http/principal.ts';
import type { CredentialLimits } from '../kernel/credential-limits.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';
import { type KnownClient, readClient } from './client-repository.ts';
import { hasRevokedCreator, revokeCreatedBy } from './creators.ts';
import { type KnownGrant, readGrant } from './grant-repository.ts';
import { limitsAttributes, toLimits } from '../db/credential-limits.ts';
import { boundsAttributes, toBounds } from '../db/row-bounds.ts';
import { hashKey, hasExpired, listOf, type PageRequest, userTokensKey } from './items.ts';
import { openSessions, type Session, type SessionReader, type SessionWriter, toSession } from './session-repository.ts';
import { tokenHash } from './token.ts';

/** Stored API key, without its value. */
export interface ApiKey {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly prefix: string;
  readonly permissions: readonly Permission[];
  readonly indexIds: readonly string[] | null;
  readonly bounds: RowBounds | null;
  readonly limits: CredentialLimits | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly createdAt: string;
  /** Ids of its creators: a user, API keys and OAuth clients, first to last. The key ends with any of them. */
  readonly creators: readonly string[];
}

/** Access token with its client. */
interface AccessTokenGrant {
  readonly client: KnownClient;
  readonly scopes: readonly Permission[];
  readonly expiresAt: string;
}

/** Credential of one bearer value. */
export type Credential =
  | ({ readonly kind: 'api_key'; readonly hasRevokedCreator: boolean } & ApiKey)
  | ({ readonly kind: 'access_token' } & AccessTokenGrant)
  | { readonly kind: 'grant'; readonly grant: KnownGrant; readonly expiresAt: string }
  | ({ readonly kind: 'session' } & Session);

const toApiKey = (item: Item): ApiKey => ({
  id: item['id'] as string,
  organizationId: item['organization_id'] as string,
  name: item['name'] as string,
  prefix: item['prefix'] as string,
  permissions: item['permissions'] as Permission[],
  indexIds: (item['index_ids'] as string[] | undefined) ?? null,
  bounds: toBounds(item),
  limits: toLimits(item),
  expiresAt: textOf(item, 'expires_at'),
  revokedAt: textOf(item, 'revoked_at'),
  createdAt: item['created_at'] as string,
  creators: item['creators'] as string[],
});

const fromApiKey = (key: ApiKey) => ({
  kind: 'api_key',
  id: key.id,
  organization_id: key.organizationId,
  name: key.name,
  prefix: key.prefix,
  permissions: key.permissions,
  created_at: key.createdAt,
  creators: key.creators,
  ...(key.indexIds === null ? {} : { index_ids: key.indexIds }),
  ...boundsAttributes(key.bounds),
  ...limitsAttributes(key.limits),
  ...(key.expiresAt === null ? {} : { expires_at: key.expiresAt }),
});

/** Reads the client of an access token. Only the client stores its revocation, so one write revokes all its tokens. */
const toAccessTokenGrant = async (table: Table, item: Item): Promise<AccessTokenGrant | null> => {
  const client = await readClient(table, item['client_id'] as string);
  return client === null
    ? null
    : { client, scopes: item['scopes'] as Permission[], expiresAt: item['expires_at'] as string };
};

/** Reads credentials. Every read is strongly consistent, so a revocation takes effect at once. */
export interface CredentialReader extends SessionReader {
  /** Returns the credential of a bearer value, even if it is no longer valid; null if there is none. */
  find(token: string): Promise<Credential | null>;
  /** Returns the credential whose token has this SHA-256; null if it does not exist any more. */
  findStored(hash: string): Promise<Credential | null>;
  /** Returns the API keys of an organization, newest first. */
  listKeys(
    organizationId: string,
    page: PageRequest,
  ): Promise<{ readonly keys: readonly ApiKey[]; readonly next: string | null }>;
  /** Returns an API key; null if the organization does not have it. */
  getKey(organizationId: string, id: string): Promise<ApiKey | null>;
}

export interface CredentialWriter extends CredentialReader, SessionWriter {
  /**
   * Stores and activates a key, unless as many as the limit are neither revoked nor expired.
   * @param signingKey Sealed key of the HMAC of its tokens for end users.
   */
  addKey(key: ApiKey, token: string, signingKey: string, limit: number): Promise<Added>;
  /** Revokes a key, and the keys and clients that it created. Idempotent. False: the organization does not have the key. */
  revokeKey(organizationId: string, keyId: string, at: string): Promise<boolean>;
  /** Revokes every key and client that has a creator, such as a user, in its chain. Idempotent. */
  revokeCreatedBy(organizationId: string, creatorId: string, at: string): Promise<void>;
}

const countValidKeys = async (table: Table, organizationId: string, clock: Clock): Promise<number> => {
  const keys = table.all(`ORG#${organizationId}`, { prefix: 'KEY#', where: { revoked_at: { exists: false } } });
  const listed = await Array.fromAsync(keys, toApiKey);
  return listed.filter(({ expiresAt }) => !hasExpired(expiresAt, clock)).length;
};

export const openCredentials = (runtime: Runtime): CredentialWriter => {
  const { clock } = runtime;
  const table = openTable(runtime, 'credentials');
  const listed = listOf(table, 'KEY');
  const keys = limitedSet(table, 'api_keys');
  const findStored = async (hash: string): Promise<Credential | null> => {
    const item = await table.get(hashKey(hash));
    if (item === null) return null;
    if (item['kind'] === 'api_key') {
      const key = toApiKey(item);
      const isEnded = await hasRevokedCreator(table, key.organizationId, key.creators);
      return { kind: 'api_key', ...key, hasRevokedCreator: isEnded };
    }
    if (item['kind'] === 'session') return { kind: 'session', ...toSession(item) };
    if (item['kind'] === 'granted_token') {
      const grant = await readGrant(table, item);
      return grant === null ? null : { kind: 'grant', grant, expiresAt: item['expires_at'] as string };
    }
    const access = await toAccessTokenGrant(table, item);
    return access === null ? null : { kind: 'access_token', ...access };
  };
  return {
    ...openSessions(table, clock),
    find: (token) => findStored(tokenHash(token)),
    findStored,
    listKeys: async (organizationId, page) => {
      const { items, next } = await listed.page(organizationId, page);
      return { keys: items.map(toApiKey), next };
    },
    getKey: async (organizationId, id) => {
      const item = await table.get(listed.keyOf(organizationId, id));
      return item === null ? null : toApiKey(item);
    },
    addKey: (key, token, signingKey, limit) => {
      const hash = tokenHash(token);
      const actions = [
        { put: { ...listed.keyOf(key.organizationId, key.id), ...fromApiKey(key), hash }, condition: absent },
        { put: { ...userTokensKey(key.id), hash, signing_key: signingKey }, condition: absent },
        { put: { ...hashKey(hash), ...fromApiKey(key) }, condition: absent },
      ];
      return keys.add(key.organizationId, limit, actions, () => countValidKeys(table, key.organizationId, clock));
    },
    revokeKey: async (organizationId, keyId, at) => {
      if (!(await listed.revoke(organizationId, keyId, at))) return false;
      await revokeCreatedBy(table, organizationId, keyId, at);
      return true;
    },
    revokeCreatedBy: (organizationId, creatorId, at) => revokeCreatedBy(table, organizationId, creatorId, at),
  };
};

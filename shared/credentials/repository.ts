import type { Runtime } from '../kernel/capability.ts';
import { type Item, openTable } from '../db/table.ts';
import type { Permission } from '../http/principal.ts';
import { tokenHash } from './token.ts';

/** An API key as it is kept: never its value. */
export interface ApiKey {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly prefix: string;
  readonly permissions: readonly Permission[];
  readonly indexIds: readonly string[] | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly createdAt: string;
}

/** What a session token stands for. */
export interface Session {
  readonly userId: string;
  readonly email: string;
  readonly expiresAt: string;
}

/** What one bearer value stands for. */
export type Credential = ({ readonly kind: 'api_key' } & ApiKey) | ({ readonly kind: 'session' } & Session);

const byHash = (hash: string) => ({ pk: `HASH#${hash}`, sk: 'CREDENTIAL' });
const byId = (organizationId: string, keyId: string) => ({ pk: `ORG#${organizationId}`, sk: `KEY#${keyId}` });
const absent = { pk: { exists: false } } as const;
const seconds = (time: string): number => Math.floor(Date.parse(time) / 1000);

const toApiKey = (item: Item): ApiKey => ({
  id: item['id'] as string,
  organizationId: item['organization_id'] as string,
  name: item['name'] as string,
  prefix: item['prefix'] as string,
  permissions: item['permissions'] as Permission[],
  indexIds: (item['index_ids'] as string[] | undefined) ?? null,
  expiresAt: (item['expires_at'] as string | undefined) ?? null,
  revokedAt: (item['revoked_at'] as string | undefined) ?? null,
  createdAt: item['created_at'] as string,
});

const fromApiKey = (key: ApiKey) => ({
  kind: 'api_key',
  id: key.id,
  organization_id: key.organizationId,
  name: key.name,
  prefix: key.prefix,
  permissions: key.permissions,
  created_at: key.createdAt,
  ...(key.indexIds === null ? {} : { index_ids: key.indexIds }),
  ...(key.expiresAt === null ? {} : { expires_at: key.expiresAt }),
});

/** Finds credentials; every read is strongly consistent, so a revocation holds at once. */
export interface CredentialReader {
  /** What a bearer value stands for, whether or not it is still valid; null for an unknown one. */
  find(token: string): Promise<Credential | null>;
  /** The keys of an organization, newest first. */
  listKeys(organizationId: string): Promise<readonly ApiKey[]>;
}

export interface CredentialWriter extends CredentialReader {
  /** Lists a key that does not work yet; false where it is listed already. */
  listKey(key: ApiKey, token: string): Promise<boolean>;
  /** Makes a listed key work; changes nothing about one that has been at work before. */
  activateKey(key: ApiKey, token: string): Promise<void>;
  /** Takes a listed key that never worked off the list. */
  unlistKey(key: ApiKey): Promise<void>;
  addSession(session: Session, token: string): Promise<void>;
  /** False where the organization has no such key. Repeating it changes nothing. */
  revokeKey(organizationId: string, keyId: string, at: string): Promise<boolean>;
}

export const openCredentials = (runtime: Runtime): CredentialWriter => {
  const table = openTable(runtime, 'credentials');
  return {
    find: async (token) => {
      const item = await table.get(byHash(tokenHash(token)));
      if (item === null) return null;
      if (item['kind'] === 'api_key') return { kind: 'api_key', ...toApiKey(item) };
      return {
        kind: 'session',
        userId: item['user_id'] as string,
        email: item['email'] as string,
        expiresAt: item['expires_at'] as string,
      };
    },
    listKeys: async (organizationId) => {
      const keys: ApiKey[] = [];
      for await (const item of table.all(`ORG#${organizationId}`, { prefix: 'KEY#', newestFirst: true }))
        keys.push(toApiKey(item));
      return keys;
    },
    // Listed before it works: a crash in between leaves a dead key that can be seen, never a live one that cannot.
    listKey: (key, token) =>
      table.put({ ...byId(key.organizationId, key.id), ...fromApiKey(key), hash: tokenHash(token) }, absent),
    activateKey: async (key, token) => {
      await table.put({ ...byHash(tokenHash(token)), ...fromApiKey(key) }, absent);
    },
    unlistKey: async (key) => {
      await table.delete(byId(key.organizationId, key.id));
    },
    addSession: async ({ userId, email, expiresAt }, token) => {
      const item = {
        kind: 'session',
        user_id: userId,
        email,
        expires_at: expiresAt,
        expires_at_epoch: seconds(expiresAt),
      };
      await table.put({ ...byHash(tokenHash(token)), ...item });
    },
    revokeKey: async (organizationId, keyId, at) => {
      const item = await table.get(byId(organizationId, keyId));
      if (item === null) return false;
      const revoke = { setOnce: { revoked_at: at }, condition: { pk: { exists: true } } };
      await table.update(byHash(item['hash'] as string), revoke);
      await table.update(byId(organizationId, keyId), revoke);
      return true;
    },
  };
};

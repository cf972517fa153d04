import { textOf } from '../db/read-item.ts';
import { absent } from '../db/condition.ts';
import type { Runtime } from '../kernel/capability.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import {
  addTentative,
  attemptOf,
  countAttempts,
  type Counted,
  keepTentative,
  undecided,
  withdrawTentative,
} from '../db/tentative.ts';
import type { Permission } from '../http/principal.ts';
import { type KnownClient, readClient } from './client-repository.ts';
import { creatorsIn, hasRevokedCreator, revokeCreatedBy } from './creators.ts';
import { byHash, hasExpired, listOf, type PageRequest } from './items.ts';
import { openSessions, type Session, type SessionReader, type SessionWriter, toSession } from './session-repository.ts';
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
  /** Ids of the user, keys and clients that it ends with, the first to the last. */
  readonly creators: readonly string[];
}

/** An access token with the client that it was given to. */
interface GrantedAccess {
  readonly client: KnownClient;
  readonly scopes: readonly Permission[];
  readonly expiresAt: string;
}

/** What one bearer value stands for. */
export type Credential =
  | ({ readonly kind: 'api_key'; readonly hasRevokedCreator: boolean } & ApiKey)
  | ({ readonly kind: 'access_token' } & GrantedAccess)
  | ({ readonly kind: 'session' } & Session);

/** What was stored with a year of six digits counts as the last moment of the years that have four. */
const readExpiry = (stored: string): string => (stored.startsWith('+') ? '9999-12-31T23:59:59.999Z' : stored);

const toApiKey = (item: Item): ApiKey => ({
  id: item['id'] as string,
  organizationId: item['organization_id'] as string,
  name: item['name'] as string,
  prefix: item['prefix'] as string,
  permissions: item['permissions'] as Permission[],
  indexIds: (item['index_ids'] as string[] | undefined) ?? null,
  expiresAt: item['expires_at'] === undefined ? null : readExpiry(item['expires_at'] as string),
  revokedAt: textOf(item, 'revoked_at'),
  createdAt: item['created_at'] as string,
  creators: creatorsIn(item),
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
  ...(key.expiresAt === null ? {} : { expires_at: key.expiresAt }),
});

/** The token names its client, whose own item alone says whether it is revoked: so one write stops all its tokens. */
const toGrantedAccess = async (table: Table, item: Item): Promise<GrantedAccess | null> => {
  const client = await readClient(table, item['client_id'] as string);
  return client === null
    ? null
    : { client, scopes: item['scopes'] as Permission[], expiresAt: item['expires_at'] as string };
};

/** Finds credentials; every read is strongly consistent, so a revocation holds at once. */
export interface CredentialReader extends SessionReader {
  /** What a bearer value stands for, whether or not it is still valid; null for an unknown one. */
  find(token: string): Promise<Credential | null>;
  /** The keys of an organization, newest first. */
  listKeys(
    organizationId: string,
    page: PageRequest,
  ): Promise<{ readonly keys: readonly ApiKey[]; readonly next: string | null }>;
  /** The key of an id; null where the organization has none. */
  listedKey(organizationId: string, id: string): Promise<ApiKey | null>;
  /** How many keys of an organization are neither revoked nor expired. What a creation that died has listed counts as kept. */
  countKeys(organizationId: string): Promise<Counted>;
}

export interface CredentialWriter extends CredentialReader, SessionWriter {
  /** Whether a key is on the list of its organization, at work or not. */
  isListed(key: ApiKey): Promise<boolean>;
  /**
   * Lists a key that does not work yet, by an attempt that is still to be kept. The attempt by which it is listed
   * tentatively; null where it is kept already.
   */
  listKey(key: ApiKey, token: string, attempt: string): Promise<string | null>;
  /** Keeps a key on the list. True also where it is kept already, false where it has been taken off. */
  keepKey(key: ApiKey, attempt: string): Promise<boolean>;
  /** Takes a key off the list. False where it is kept. */
  unlistKey(key: ApiKey, attempt: string): Promise<boolean>;
  /** Makes a key that is kept on the list work; changes nothing about one that has been at work before. */
  activateKey(key: ApiKey, token: string): Promise<void>;
  /**
   * Stops a key, and the keys and clients that it created. False where the organization has no such key. Repeating it
   * changes nothing.
   */
  revokeKey(organizationId: string, keyId: string, at: string): Promise<boolean>;
  /** Stops every key and client that a creator, such as a user, began or continued a chain of. Safe to repeat. */
  revokeCreatedBy(organizationId: string, creatorId: string, at: string): Promise<void>;
}

export const openCredentials = (runtime: Runtime): CredentialWriter => {
  const { clock } = runtime;
  const table = openTable(runtime, 'credentials');
  const listed = listOf(table, 'KEY');
  const listedKey = ({ organizationId, id }: ApiKey) => listed.keyOf(organizationId, id);
  return {
    ...openSessions(table, clock),
    find: async (token) => {
      const item = await table.get(byHash(tokenHash(token)));
      if (item === null) return null;
      if (item['kind'] === 'api_key') {
        const key = toApiKey(item);
        const isEnded = await hasRevokedCreator(table, key.organizationId, key.creators);
        return { kind: 'api_key', ...key, hasRevokedCreator: isEnded };
      }
      if (item['kind'] === 'session') return { kind: 'session', ...toSession(item) };
      const access = await toGrantedAccess(table, item);
      return access === null ? null : { kind: 'access_token', ...access };
    },
    listKeys: async (organizationId, page) => {
      const { items, next } = await listed.page(organizationId, page);
      return { keys: items.map(toApiKey), next };
    },
    listedKey: async (organizationId, id) => {
      const item = await table.get(listed.keyOf(organizationId, id));
      return item === null ? null : toApiKey(item);
    },
    countKeys: async (organizationId) => {
      const keys = table.all(`ORG#${organizationId}`, { prefix: 'KEY#', where: { revoked_at: { exists: false } } });
      const listed = await Array.fromAsync(keys, (item) => ({ ...toApiKey(item), attempt: attemptOf(item) }));
      const valid = listed.filter(({ expiresAt }) => !hasExpired(expiresAt, clock));
      return countAttempts(valid.map(({ attempt, createdAt }) => undecided(attempt, createdAt, clock.now())));
    },
    isListed: async (key) => (await table.get(listedKey(key))) !== null,
    listKey: (key, token, attempt) =>
      addTentative(table, { ...listedKey(key), ...fromApiKey(key), hash: tokenHash(token) }, attempt),
    keepKey: (key, attempt) => keepTentative(table, listedKey(key), attempt),
    unlistKey: (key, attempt) => withdrawTentative(table, listedKey(key), attempt),
    activateKey: async (key, token) => {
      await table.put({ ...byHash(tokenHash(token)), ...fromApiKey(key) }, absent);
    },
    revokeKey: async (organizationId, keyId, at) => {
      if (!(await listed.revoke(organizationId, keyId, at))) return false;
      await revokeCreatedBy(table, organizationId, keyId, at);
      return true;
    },
    revokeCreatedBy: (organizationId, creatorId, at) => revokeCreatedBy(table, organizationId, creatorId, at),
  };
};

import { textOf } from '../db/read-item.ts';
import { absent } from '../db/condition.ts';
import { timingSafeEqual } from 'node:crypto';
import type { Runtime } from '../kernel/capability.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import type { Permission } from '../http/principal.ts';
import { creatorsIn, hasRevokedCreator, revokeCreatedBy } from './creators.ts';
import { byHash, clientKey, dropAt, isId, listOf, type PageRequest } from './items.ts';
import { tokenHash } from './token.ts';

/** An OAuth client as it is kept: never its secret. */
export interface OAuthClient {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Permission[];
  readonly indexIds: readonly string[] | null;
  readonly revokedAt: string | null;
  readonly createdAt: string;
  /** Ids of the user, keys and clients that it ends with, the first to the last. */
  readonly creators: readonly string[];
}

/** A client as authentication finds it. */
export interface KnownClient extends OAuthClient {
  /** Whether a key or client among its creators is revoked. */
  readonly hasRevokedCreator: boolean;
}

/** What an access token stands for: some of the scopes of a client for a time. */
interface AccessToken {
  readonly clientId: string;
  readonly scopes: readonly Permission[];
  readonly expiresAt: string;
}

const toClient = (item: Item): OAuthClient => ({
  id: item['id'] as string,
  organizationId: item['organization_id'] as string,
  name: item['name'] as string,
  prefix: item['prefix'] as string,
  scopes: item['scopes'] as Permission[],
  indexIds: (item['index_ids'] as string[] | undefined) ?? null,
  revokedAt: textOf(item, 'revoked_at'),
  createdAt: item['created_at'] as string,
  creators: creatorsIn(item),
});

const toKnownClient = async (table: Table, item: Item): Promise<KnownClient> => {
  const client = toClient(item);
  return { ...client, hasRevokedCreator: await hasRevokedCreator(table, client.organizationId, client.creators) };
};

const fromClient = (client: OAuthClient, secret: string) => ({
  id: client.id,
  organization_id: client.organizationId,
  name: client.name,
  prefix: client.prefix,
  scopes: client.scopes,
  created_at: client.createdAt,
  creators: client.creators,
  hash: tokenHash(secret),
  ...(client.indexIds === null ? {} : { index_ids: client.indexIds }),
});

/** The client of an id; null where there is none. Strongly consistent: one read, and a batch for its creators. */
export const readClient = async (table: Table, id: string): Promise<KnownClient | null> => {
  const item = await table.get(clientKey(id));
  return item === null ? null : toKnownClient(table, item);
};

/** Finds OAuth clients; every read is strongly consistent, so a revocation holds at once. */
export interface OAuthClientReader {
  /** The clients of an organization, newest first. */
  list(
    organizationId: string,
    page: PageRequest,
  ): Promise<{ readonly clients: readonly OAuthClient[]; readonly next: string | null }>;
  /** The client of an id as its list shows it; null where the organization has none. */
  get(organizationId: string, id: string): Promise<OAuthClient | null>;
  /**
   * The client that an id and a secret prove, whether or not it is revoked; else null, after the same steps whether the
   * id or the secret is wrong.
   */
  verify(id: string, secret: string): Promise<KnownClient | null>;
}

export interface OAuthClientWriter extends OAuthClientReader {
  /** Changes nothing about a client that is there already. */
  add(client: OAuthClient, secret: string): Promise<void>;
  addAccessToken(token: AccessToken, value: string): Promise<void>;
  /** Stops a client, all its access tokens, and the keys and clients that it created. False where the organization has no such client; safe to repeat. */
  revoke(organizationId: string, id: string, at: string): Promise<boolean>;
}

export const openOAuthClients = (runtime: Runtime): OAuthClientWriter => {
  const table = openTable(runtime, 'credentials');
  const listed = listOf(table, 'CLIENT');
  return {
    list: async (organizationId, page) => {
      const { items, next } = await listed.page(organizationId, page);
      return { clients: items.map(toClient), next };
    },
    get: async (organizationId, id) => {
      const item = await table.get(listed.keyOf(organizationId, id));
      return item === null ? null : toClient(item);
    },
    verify: async (id, secret) => {
      const item = isId(id) ? await table.get(clientKey(id)) : null;
      const expected = textOf(item, 'hash') ?? tokenHash('');
      const proven = timingSafeEqual(Buffer.from(tokenHash(secret), 'hex'), Buffer.from(expected, 'hex'));
      return item !== null && proven ? toKnownClient(table, item) : null;
    },
    add: async (client, secret) => {
      const item = fromClient(client, secret);
      await table.put({ ...listed.keyOf(client.organizationId, client.id), ...item }, absent);
      await table.put({ ...clientKey(client.id), ...item }, absent);
    },
    addAccessToken: async ({ clientId, scopes, expiresAt }, value) => {
      await table.put({
        ...byHash(tokenHash(value)),
        kind: 'access_token',
        client_id: clientId,
        scopes,
        expires_at: expiresAt,
        expires_at_epoch: dropAt(expiresAt),
      });
    },
    revoke: async (organizationId, id, at) => {
      if (!(await listed.revoke(organizationId, id, at))) return false;
      await revokeCreatedBy(table, organizationId, id, at);
      return true;
    },
  };
};

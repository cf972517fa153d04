import { textOf } from '../db/read-item.ts';
import { absent } from '../db/condition.ts';
import { timingSafeEqual } from 'node:crypto';
import type { Runtime } from '../kernel/capability.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import type { Permission } from '../http/principal.ts';
import type { CredentialLimits } from '../kernel/credential-limits.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';
import { hasRevokedCreator, revokeCreatedBy } from './creators.ts';
import { limitsAttributes, toLimits } from '../db/credential-limits.ts';
import { boundsAttributes, toBounds } from '../db/row-bounds.ts';
import { hashKey, clientKey, ttlEpochSeconds, isId, listOf, type PageRequest } from './items.ts';
import { tokenHash } from './token.ts';

/** Stored OAuth client, without its secret. */
export interface OAuthClient {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Permission[];
  readonly indexIds: readonly string[] | null;
  readonly bounds: RowBounds | null;
  readonly limits: CredentialLimits | null;
  readonly revokedAt: string | null;
  readonly createdAt: string;
  /** Ids of its creators: a user, API keys and OAuth clients, first to last. The client ends with any of them. */
  readonly creators: readonly string[];
}

/** OAuth client with the state of its creators. */
export interface KnownClient extends OAuthClient {
  /** Whether an API key or client among its creators is revoked. */
  readonly hasRevokedCreator: boolean;
}

/** Access token of a client. */
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
  bounds: toBounds(item),
  limits: toLimits(item),
  revokedAt: textOf(item, 'revoked_at'),
  createdAt: item['created_at'] as string,
  creators: item['creators'] as string[],
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
  ...boundsAttributes(client.bounds),
  ...limitsAttributes(client.limits),
});

/** Returns a client by its id; null if there is none. Strongly consistent: one read, and a batch for its creators. */
export const readClient = async (table: Table, id: string): Promise<KnownClient | null> => {
  const item = await table.get(clientKey(id));
  return item === null ? null : toKnownClient(table, item);
};

/** Reads OAuth clients. Every read is strongly consistent, so a revocation takes effect at once. */
export interface OAuthClientReader {
  /** Returns the clients of an organization, newest first. */
  list(
    organizationId: string,
    page: PageRequest,
  ): Promise<{ readonly clients: readonly OAuthClient[]; readonly next: string | null }>;
  /** Returns a client from the list of an organization; null if the organization does not have it. */
  get(organizationId: string, id: string): Promise<OAuthClient | null>;
  /**
   * Returns the client with this id and secret, even if it is revoked; null if either is wrong. The steps are the same in
   * both cases, so their duration does not reveal which one is wrong.
   */
  verify(id: string, secret: string): Promise<KnownClient | null>;
}

export interface OAuthClientWriter extends OAuthClientReader {
  /** Stores a client, unless it exists. */
  add(client: OAuthClient, secret: string): Promise<void>;
  addAccessToken(token: AccessToken, value: string): Promise<void>;
  /**
   * Revokes a client, its access tokens, and the keys and clients that it created. Idempotent. False: the organization does
   * not have the client.
   */
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
      const isEqual = timingSafeEqual(Buffer.from(tokenHash(secret), 'hex'), Buffer.from(expected, 'hex'));
      return item !== null && isEqual ? toKnownClient(table, item) : null;
    },
    add: async (client, secret) => {
      const item = fromClient(client, secret);
      await table.put({ ...listed.keyOf(client.organizationId, client.id), ...item }, absent);
      await table.put({ ...clientKey(client.id), ...item }, absent);
    },
    addAccessToken: async ({ clientId, scopes, expiresAt }, value) => {
      await table.put({
        ...hashKey(tokenHash(value)),
        kind: 'access_token',
        client_id: clientId,
        scopes,
        expires_at: expiresAt,
        expires_at_epoch: ttlEpochSeconds(expiresAt),
      });
    },
    revoke: async (organizationId, id, at) => {
      if (!(await listed.revoke(organizationId, id, at))) return false;
      await revokeCreatedBy(table, organizationId, id, at);
      return true;
    },
  };
};

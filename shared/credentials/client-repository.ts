import { textOf } from '../db/read-item.ts';
import { absent } from '../db/condition.ts';
import { timingSafeEqual } from 'node:crypto';
import type { Runtime } from '../kernel/capability.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import type { Permission } from '../http/principal.ts';
import { dropAt, isId, listOf, type PageRequest } from './items.ts';
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
}

/** What an access token stands for: some of the scopes of a client for a time. */
interface AccessToken {
  readonly clientId: string;
  readonly scopes: readonly Permission[];
  readonly expiresAt: string;
}

const clientKey = (id: string) => ({ pk: `CLIENT#${id}`, sk: 'CLIENT' });

const toClient = (item: Item): OAuthClient => ({
  id: item['id'] as string,
  organizationId: item['organization_id'] as string,
  name: item['name'] as string,
  prefix: item['prefix'] as string,
  scopes: item['scopes'] as Permission[],
  indexIds: (item['index_ids'] as string[] | undefined) ?? null,
  revokedAt: textOf(item, 'revoked_at'),
  createdAt: item['created_at'] as string,
});

const fromClient = (client: OAuthClient, secret: string) => ({
  id: client.id,
  organization_id: client.organizationId,
  name: client.name,
  prefix: client.prefix,
  scopes: client.scopes,
  created_at: client.createdAt,
  hash: tokenHash(secret),
  ...(client.indexIds === null ? {} : { index_ids: client.indexIds }),
});

/** The client of an id; null where there is none. One strongly consistent read. */
export const readClient = async (table: Table, id: string): Promise<OAuthClient | null> => {
  const item = await table.get(clientKey(id));
  return item === null ? null : toClient(item);
};

/** Finds OAuth clients; every read is strongly consistent, so a revocation holds at once. */
export interface OAuthClientReader {
  /** The clients of an organization, newest first. */
  list(
    organizationId: string,
    page: PageRequest,
  ): Promise<{ readonly clients: readonly OAuthClient[]; readonly next: string | null }>;
  /**
   * The client that an id and a secret prove, whether or not it is revoked; else null, after the same steps whether the
   * id or the secret is wrong.
   */
  verify(id: string, secret: string): Promise<OAuthClient | null>;
}

export interface OAuthClientWriter extends OAuthClientReader {
  /** Changes nothing about a client that is there already. */
  add(client: OAuthClient, secret: string): Promise<void>;
  addAccessToken(token: AccessToken, value: string): Promise<void>;
  /** Stops a client and all its access tokens. False where the organization has no such client; safe to repeat. */
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
    verify: async (id, secret) => {
      const item = isId(id) ? await table.get(clientKey(id)) : null;
      const expected = textOf(item, 'hash') ?? tokenHash('');
      const proven = timingSafeEqual(Buffer.from(tokenHash(secret), 'hex'), Buffer.from(expected, 'hex'));
      return item !== null && proven ? toClient(item) : null;
    },
    add: async (client, secret) => {
      const item = fromClient(client, secret);
      await table.put({ ...listed.keyOf(client.organizationId, client.id), ...item }, absent);
      await table.put({ ...clientKey(client.id), ...item }, absent);
    },
    addAccessToken: async ({ clientId, scopes, expiresAt }, value) => {
      await table.put({
        pk: `HASH#${tokenHash(value)}`,
        sk: 'CREDENTIAL',
        kind: 'access_token',
        client_id: clientId,
        scopes,
        expires_at: expiresAt,
        expires_at_epoch: dropAt(expiresAt),
      });
    },
    revoke: (organizationId, id, at) => listed.revoke(organizationId, id, at, () => clientKey(id)),
  };
};

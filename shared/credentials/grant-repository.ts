import { absent, present } from '../db/condition.ts';
import type { Item, Table } from '../db/contracts.ts';
import { textOf } from '../db/read-item.ts';
import { openTable } from '../db/table.ts';
import type { Permission } from '../http/principal.ts';
import type { CredentialLimits } from '../kernel/credential-limits.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';
import type { Runtime } from '../kernel/capability.ts';
import { limitsAttributes, toLimits } from '../db/credential-limits.ts';
import { boundsAttributes, toBounds } from '../db/row-bounds.ts';
import { grantKey, hashKey, listOf, ttlEpochSeconds } from './items.ts';
import { tokenHash } from './token.ts';

/** Access that a person granted to an application. It ends with their session and with their membership. */
interface Grant {
  readonly id: string;
  readonly organizationId: string;
  /** Id of the person, alone. */
  readonly creators: readonly string[];
  /** SHA-256 of the token of the session in which the person granted it. */
  readonly sessionHash: string;
  /** URL of the metadata document of the application. */
  readonly clientId: string;
  readonly clientName: string;
  readonly scopes: readonly Permission[];
  readonly indexIds: readonly string[] | null;
  readonly bounds: RowBounds | null;
  readonly limits: CredentialLimits | null;
  /** URL below which its access tokens are accepted. */
  readonly resource: string;
  readonly createdAt: string;
  /** When the session expires. */
  readonly expiresAt: string;
}

export interface KnownGrant extends Grant {
  /** Whether the grant is revoked, or its session ended. */
  readonly hasEnded: boolean;
}

/** First exchange of a value. */
export interface Use {
  readonly at: string;
  /** Random text from which, together with the value itself, the tokens of the exchange derive. */
  readonly salt: string;
}

/** Secret value of a grant that can be exchanged once: an authorization code or a refresh token. */
interface Exchangeable {
  readonly grant: KnownGrant;
  readonly expiresAt: string;
  /** Null before the first exchange. */
  readonly use: Use | null;
}

/** Authorization code with the request to which it is bound. */
interface AuthorizationCode {
  readonly redirectUri: string;
  /** `code_challenge` of PKCE, by S256. */
  readonly challenge: string;
  readonly expiresAt: string;
}

const toGrant = (item: Item): Grant => ({
  id: item['id'] as string,
  organizationId: item['organization_id'] as string,
  creators: item['creators'] as string[],
  sessionHash: item['session_hash'] as string,
  clientId: item['client_id'] as string,
  clientName: item['client_name'] as string,
  scopes: item['scopes'] as Permission[],
  indexIds: (item['index_ids'] as string[] | undefined) ?? null,
  bounds: toBounds(item),
  limits: toLimits(item),
  resource: item['resource'] as string,
  createdAt: item['created_at'] as string,
  expiresAt: item['expires_at'] as string,
});

const fromGrant = (grant: Grant) => ({
  id: grant.id,
  organization_id: grant.organizationId,
  creators: grant.creators,
  session_hash: grant.sessionHash,
  client_id: grant.clientId,
  client_name: grant.clientName,
  scopes: grant.scopes,
  resource: grant.resource,
  created_at: grant.createdAt,
  ...expiring(grant.expiresAt),
  ...(grant.indexIds === null ? {} : { index_ids: grant.indexIds }),
  ...boundsAttributes(grant.bounds),
  ...limitsAttributes(grant.limits),
});

const expiring = (expiresAt: string) => ({ expires_at: expiresAt, expires_at_epoch: ttlEpochSeconds(expiresAt) });

/** Kinds of stored values of a grant. */
type GrantValue = 'authorization_code' | 'refresh_token' | 'granted_token';

/** Returns the item of a value. It names grant and session, so that both are read concurrently. */
const valueItem = (kind: GrantValue, value: string, grant: Grant, expiresAt: string) => ({
  ...hashKey(tokenHash(value)),
  kind,
  organization_id: grant.organizationId,
  grant_id: grant.id,
  session_hash: grant.sessionHash,
  ...expiring(expiresAt),
});

/** Reads the grant of a stored value, strongly consistent; null if there is none. */
export const readGrant = async (table: Table, value: Item): Promise<KnownGrant | null> => {
  const [grant, session] = await Promise.all([
    table.get(grantKey(value['organization_id'] as string, value['grant_id'] as string)),
    table.get(hashKey(value['session_hash'] as string)),
  ]);
  if (grant === null) return null;
  const hasEnded = grant['revoked_at'] !== undefined || session === null || session['revoked_at'] !== undefined;
  return { ...toGrant(grant), hasEnded };
};

/** Stores grants with their codes and tokens. Every read is strongly consistent, so a revocation takes effect at once. */
export interface GrantStore {
  /** Returns when a session expires; null if it does not exist. */
  sessionExpiry(sessionHash: string): Promise<string | null>;
  /** Stores a grant with its code, and the name of the application with the session. */
  add(grant: Grant, code: AuthorizationCode, value: string): Promise<void>;
  /** Returns the code of a value, even if it is used; null if there is none. */
  findCode(value: string): Promise<(Exchangeable & AuthorizationCode) | null>;
  /** Returns the refresh token of a value, even if it is used; null if there is none. */
  findRefreshToken(value: string): Promise<Exchangeable | null>;
  /** Marks a code or refresh token as used. False if it was used before. */
  use(value: string, use: Use): Promise<boolean>;
  /** Stores an access token and the refresh token with which it is renewed. Idempotent. */
  addTokens(
    grant: Grant,
    access: { readonly value: string; readonly expiresAt: string },
    refreshToken: string,
  ): Promise<void>;
  /** Returns the grant of an access or refresh token; null if there is none. */
  grantOf(value: string): Promise<KnownGrant | null>;
  /** Ends a grant with all its tokens. Idempotent. */
  revoke(grant: Grant, at: string): Promise<void>;
}

/** Stores the grant before its code, so that a code that exists always has its grant. */
const addGrant = async (table: Table, grant: Grant, code: AuthorizationCode, value: string): Promise<void> => {
  const [userId = ''] = grant.creators;
  const sessionId = textOf(await table.get(hashKey(grant.sessionHash)), 'id');
  if (sessionId !== null)
    await table.update(listOf(table, 'SESSION').keyOf(userId, sessionId), {
      set: { application: grant.clientName },
      condition: present,
    });
  await table.put({ ...grantKey(grant.organizationId, grant.id), ...fromGrant(grant) }, absent);
  const bound = { redirect_uri: code.redirectUri, code_challenge: code.challenge };
  await table.put({ ...valueItem('authorization_code', value, grant, code.expiresAt), ...bound }, absent);
};

export const openGrants = (runtime: Runtime): GrantStore => {
  const table = openTable(runtime, 'credentials');
  const find = async (
    kind: GrantValue,
    value: string,
  ): Promise<{ readonly item: Item; readonly found: Exchangeable } | null> => {
    const item = await table.get(hashKey(tokenHash(value)));
    if (item?.['kind'] !== kind) return null;
    const grant = await readGrant(table, item);
    if (grant === null) return null;
    const expiresAt = item['expires_at'] as string;
    const [at, salt] = [textOf(item, 'used_at'), textOf(item, 'salt')];
    return { item, found: { grant, expiresAt, use: at === null || salt === null ? null : { at, salt } } };
  };
  return {
    sessionExpiry: async (sessionHash) => textOf(await table.get(hashKey(sessionHash)), 'expires_at'),
    add: (grant, code, value) => addGrant(table, grant, code, value),
    findCode: async (value) => {
      const known = await find('authorization_code', value);
      if (known === null) return null;
      const { item, found } = known;
      return { ...found, redirectUri: item['redirect_uri'] as string, challenge: item['code_challenge'] as string };
    },
    findRefreshToken: async (value) => (await find('refresh_token', value))?.found ?? null,
    use: async (value, { at, salt }) => {
      const unused = { ...present, used_at: { exists: false } } as const;
      const change = { set: { used_at: at, salt }, condition: unused };
      return (await table.update(hashKey(tokenHash(value)), change)) !== null;
    },
    addTokens: async (grant, access, refreshToken) => {
      await Promise.all([
        table.put(valueItem('granted_token', access.value, grant, access.expiresAt), absent),
        table.put(valueItem('refresh_token', refreshToken, grant, grant.expiresAt), absent),
      ]);
    },
    grantOf: async (value) => {
      const item = await table.get(hashKey(tokenHash(value)));
      const isOfGrant = item?.['kind'] === 'granted_token' || item?.['kind'] === 'refresh_token';
      return isOfGrant ? readGrant(table, item) : null;
    },
    revoke: async ({ organizationId, id }, at) => {
      await table.update(grantKey(organizationId, id), { setOnce: { revoked_at: at }, condition: present });
    },
  };
};

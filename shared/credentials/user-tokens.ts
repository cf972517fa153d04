import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { serviceSealer } from '../db/service-key.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { daySeconds } from '../kernel/durations.ts';
import { memoizePerOwner } from '../kernel/memoize.ts';
import { bothFilters, FilterSchema, filterOf } from '#engine';
import type { JsonObject } from '../kernel/json.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';
import { isId, userTokensKey } from './items.ts';

/*
 * A token of an end user is minted by the holder of an API key, without a request: `svc_ut_`, its claims as base64url, a dot,
 * and their HMAC-SHA256 as base64url. The key of the HMAC derives from the value of the API key, so that a stored hash of the
 * API key can mint none. The service stores the derived key sealed when the API key is made.
 */

const prefix = 'svc_ut_';
const form = /^svc_ut_([\w-]+)\.([\w-]{43})$/;
const label = 'user token v1';

/** Maximum characters of a token, and seconds for which one is valid. */
const maxCharacters = 4_096;
const maxSeconds = daySeconds;

/** Seconds by which the clock of the minting program may be ahead. */
const toleranceSeconds = 60;

const Claims = z.strictObject({
  key_id: z.string(),
  iat: z.int(),
  exp: z.int(),
  filter: FilterSchema.nullable(),
  index_ids: z.array(z.string()).min(1).max(100),
});

export type UserClaims = z.output<typeof Claims>;

/** Whether a bearer value claims to be a token of an end user. */
export const isUserToken = (bearer: string): boolean => bearer.startsWith(prefix);

/** Returns the key of the HMAC of tokens, as base64. */
const signingKeyOf = (apiKey: string): string =>
  Buffer.from(hkdfSync('sha256', apiKey, '', label, 32)).toString('base64');

/** Returns the claims of a token, which are not verified; null for another form. */
export const readClaims = (bearer: string): UserClaims | null => {
  const [, claims] = bearer.length <= maxCharacters ? (form.exec(bearer) ?? []) : [];
  if (claims === undefined) return null;
  try {
    const parsed = Claims.safeParse(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')));
    return parsed.success && isId(parsed.data.key_id) ? parsed.data : null;
  } catch {
    return null;
  }
};

/** Returns why claims are not valid now: they are wider than allowed, or their time is over. Null if they are. */
export const claimsFault = ({ iat, exp }: UserClaims, now: Date): 'expired' | 'invalid' | null => {
  const seconds = now.getTime() / 1000;
  if (iat > seconds + toleranceSeconds || exp <= iat || exp - iat > maxSeconds) return 'invalid';
  return exp <= seconds ? 'expired' : null;
};

/** Returns the rows that a token sees: those that match its filter and that of its key. */
export const boundsOfClaims = ({ filter }: UserClaims, ofKey: RowBounds | null): RowBounds => {
  const own = filter ?? {};
  // The schema has checked that a filter is JSON.
  return { filter: (ofKey === null ? own : bothFilters(own, filterOf(ofKey))) as JsonObject, idPrefix: null };
};

const isSignedBy = (bearer: string, signingKey: string): boolean => {
  const [signed = '', sent = ''] = bearer.split('.');
  const expected = createHmac('sha256', Buffer.from(signingKey, 'base64')).update(signed).digest();
  const given = Buffer.from(sent, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
};

const sealerOf = memoizePerOwner((runtime: Runtime) => serviceSealer(runtime, 'user tokens'));

/** Stores how the tokens of an API key are verified. */
export interface UserTokenKeys {
  /** Returns the sealed key of the HMAC of a new API key. */
  seal(keyId: string, apiKey: string): Promise<string>;
}

/** Verifies tokens of end users. */
export interface UserTokenVerifier {
  /** Returns the SHA-256 of the API key with which a token was minted; null if it was minted with none. */
  verify(bearer: string, claims: UserClaims): Promise<string | null>;
}

export const userTokenKeys = capability<UserTokenKeys>(['keys.use'], (runtime) => ({
  seal: async (keyId, apiKey) => (await sealerOf(runtime)).seal(signingKeyOf(apiKey), keyId),
}));

export const userTokenVerify = capability<UserTokenVerifier>(['credentials.read', 'keys.read'], (runtime) => {
  const table = openTable(runtime, 'credentials');
  return {
    verify: async (bearer, { key_id: keyId }) => {
      const item = await table.get(userTokensKey(keyId));
      if (item === null) return null;
      const signingKey = (await sealerOf(runtime)).open(item['signing_key'] as string, keyId);
      return isSignedBy(bearer, signingKey) ? (item['hash'] as string) : null;
    },
  };
});

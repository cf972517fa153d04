import { createHash, createHmac } from 'node:crypto';
import type * as z from 'zod';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Deps } from '../kernel/capability.ts';
import { laterBy } from '../kernel/clock.ts';
import { grantsWrite } from './capabilities.ts';
import { creatorRole } from './creators.ts';
import type { KnownGrant, Use } from './grant-repository.ts';
import type { Issued } from './issue-access-token.ts';
import { oauthError } from './oauth-error.ts';
import { rateLimitOrganization, rateLimitUses } from './rate-limit-organization.ts';
import type { TokenRequest } from './schemas.ts';
import { isToken, newToken } from './token.ts';

const accessTokenSeconds = 3600;

/**
 * Time after the first use of a refresh token in which a repeat gets the same tokens. Two processes may refresh at once, and
 * a response may be lost. Source: RFC 9700, 4.14.2, whose detection of reuse begins after it.
 */
const repeatSeconds = 60;

/** Capabilities of the grants `authorization_code` and `refresh_token`. */
export const exchangeGrantUses = { grants: grantsWrite, ...rateLimitUses };

type ExchangeDeps = Deps<typeof exchangeGrantUses>;
type TokenRequest = z.output<typeof TokenRequest>;

const invalidGrant = (headers: Readonly<Record<string, string>> = {}) =>
  oauthError('invalid_grant', 'The code or refresh token is unknown, expired, used or for another client', headers);

const required = (request: TokenRequest, name: 'code' | 'code_verifier' | 'redirect_uri' | 'refresh_token'): string => {
  const value = request[name];
  if (value === undefined) throw oauthError('invalid_request', `${name}: Field required`);
  return value;
};

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** Value of a request that can be exchanged once, and its grant. */
interface Exchange {
  readonly value: string;
  readonly grant: KnownGrant;
  readonly expiresAt: string;
  readonly use: Use | null;
}

const findCode = async ({ grants }: ExchangeDeps, request: TokenRequest): Promise<Exchange> => {
  const value = required(request, 'code');
  const verifier = required(request, 'code_verifier');
  const redirectUri = required(request, 'redirect_uri');
  const found = isToken(value, 'authorization_code') ? await grants.findCode(value) : null;
  if (found === null || found.redirectUri !== redirectUri || found.challenge !== challengeOf(verifier))
    throw invalidGrant();
  return { ...found, value };
};

const findRefreshToken = async ({ grants }: ExchangeDeps, request: TokenRequest): Promise<Exchange> => {
  const value = required(request, 'refresh_token');
  const found = isToken(value, 'refresh_token') ? await grants.findRefreshToken(value) : null;
  if (found === null) throw invalidGrant();
  return { ...found, value };
};

/** Whether a value that was used may not be used again. */
const isReuse = (isCode: boolean, { at }: Use, now: Date): boolean =>
  isCode || now > laterBy(new Date(at), repeatSeconds * 1000);

/**
 * Returns a token of an exchange, which is the same for each repeat. Neither the stored salt nor the exchanged value alone is
 * enough to compute it, so nothing secret is stored.
 */
const derivedToken = (kind: 'access_token' | 'refresh_token', value: string, { salt }: Use): string =>
  newToken(kind, createHmac('sha256', value).update(`${kind}.${salt}`).digest());

/**
 * Exchanges an authorization code or a refresh token for an access token and a new refresh token. A code that is used again,
 * or a refresh token that is used again after a minute, ends the grant, since one of its users may be a thief. Source: OAuth
 * 2.1, 4.1.3 and 4.3.1. Throws 429 and the errors of RFC 6749, 5.2.
 */
export const exchangeGrant = async (
  {
    deps,
    idempotency,
    authorization,
  }: { readonly deps: ExchangeDeps; readonly idempotency: IdempotencyContext; readonly authorization: string | null },
  request: TokenRequest,
): Promise<Issued> => {
  if (authorization !== null || request.client_secret !== undefined)
    throw oauthError('unauthorized_client', 'A client with a secret uses the grant client_credentials');
  const isCode = request.grant_type === 'authorization_code';
  const find = isCode ? findCode : findRefreshToken;
  const { value, grant, expiresAt, use: earlier } = await find(deps, request);
  if (request.client_id !== grant.clientId) throw invalidGrant();
  const now = idempotency.at;
  const at = now.toISOString();
  if (earlier !== null && isReuse(isCode, earlier, now)) {
    await deps.grants.revoke(grant, at);
    throw invalidGrant();
  }
  if (expiresAt <= at || grant.expiresAt <= at || grant.hasEnded) throw invalidGrant();
  const counted = await rateLimitOrganization(deps, grant.organizationId, ['requests']);
  if (counted === null) throw invalidGrant();
  const { headers } = counted;
  if (creatorRole(counted.organization, grant.creators) === undefined) throw invalidGrant(headers);
  if (request.resource !== undefined && request.resource.replace(/\/$/, '') !== grant.resource)
    throw oauthError('invalid_target', `The grant is for the resource ${grant.resource}`, headers);
  const own = { at, salt: idempotency.secret().toString('base64url') };
  const isFirst = earlier === null && (await deps.grants.use(value, own));
  const use = isFirst ? own : (earlier ?? (await find(deps, request)).use);
  if (use === null) throw invalidGrant(headers);
  if (!isFirst && isReuse(isCode, use, now)) {
    await deps.grants.revoke(grant, at);
    throw invalidGrant(headers);
  }
  const token = derivedToken('access_token', value, use);
  const refreshToken = derivedToken('refresh_token', value, use);
  const end = laterBy(new Date(use.at), accessTokenSeconds * 1000).toISOString();
  const tokenExpiresAt = end < grant.expiresAt ? end : grant.expiresAt;
  // A repeat stores them too, since the first exchange may have failed before.
  await deps.grants.addTokens(grant, { value: token, expiresAt: tokenExpiresAt }, refreshToken);
  const expiresInSeconds = Math.floor((Date.parse(tokenExpiresAt) - Date.parse(use.at)) / 1000);
  return { token, refreshToken, scopes: grant.scopes, expiresInSeconds, headers };
};

import { createHash } from 'node:crypto';
import type * as z from 'zod';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Deps } from '../kernel/capability.ts';
import { laterBy } from '../kernel/clock.ts';
import { grantsWrite } from './capabilities.ts';
import { creatorRole } from './creators.ts';
import type { KnownGrant } from './grant-repository.ts';
import type { Issued } from './issue-access-token.ts';
import { oauthError } from './oauth-error.ts';
import { rateLimitOrganization, rateLimitUses } from './rate-limit-organization.ts';
import type { TokenRequest } from './schemas.ts';
import { isToken, newToken } from './token.ts';

const accessTokenSeconds = 3600;

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
  readonly isUsed: boolean;
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

/**
 * Exchanges an authorization code or a refresh token for an access token and a new refresh token. A value that is used
 * again ends the grant, since one of its users may be a thief. Source: OAuth 2.1, 4.1.3 and 4.3.1. Throws 429 and the
 * errors of RFC 6749, 5.2.
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
  const { value, grant, expiresAt, isUsed } = await (isCode ? findCode : findRefreshToken)(deps, request);
  if (request.client_id !== grant.clientId) throw invalidGrant();
  const at = idempotency.at.toISOString();
  if (isUsed) {
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
  if (!(await deps.grants.use(value, at))) {
    await deps.grants.revoke(grant, at);
    throw invalidGrant(headers);
  }
  const token = newToken('access_token', idempotency.secret());
  const refreshToken = newToken('refresh_token', idempotency.secret());
  const end = laterBy(idempotency.at, accessTokenSeconds * 1000).toISOString();
  const tokenExpiresAt = end < grant.expiresAt ? end : grant.expiresAt;
  await deps.grants.addTokens(grant, { value: token, expiresAt: tokenExpiresAt }, refreshToken);
  const expiresInSeconds = Math.floor((Date.parse(tokenExpiresAt) - idempotency.at.getTime()) / 1000);
  return { token, refreshToken, scopes: grant.scopes, expiresInSeconds, headers };
};

import type * as z from 'zod';
import { laterBy } from '../kernel/clock.ts';
import type { Deps } from '../kernel/capability.ts';
import { plans } from '../kernel/plans.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Permission } from '../http/principal.ts';
import { rateLimitUses, rateLimitOrganization } from './rate-limit-organization.ts';
import { clientCredentialsOf, invalidClient } from './client-credentials.ts';
import { oauthClientsWrite } from './capabilities.ts';
import type { OAuthClient } from './client-repository.ts';
import { creatorRole } from './creators.ts';
import { oauthError } from './oauth-error.ts';
import type { TokenRequest } from './schemas.ts';
import { newToken } from './token.ts';

const accessTokenSeconds = 3600;

/** Capabilities of the token endpoint. */
export const issueAccessTokenUses = { clients: oauthClientsWrite, ...rateLimitUses };

type IssueDeps = Deps<typeof issueAccessTokenUses>;

/** Access token with the rate limit headers of the response. */
export interface Issued {
  readonly token: string;
  /** Value with which the token is renewed; null if the client gets another one by its secret. */
  readonly refreshToken: string | null;
  readonly scopes: readonly Permission[];
  readonly expiresInSeconds: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Enforces the rate limits of the client's organization. Throws 429 and `unauthorized_client`. */
const rateLimitClient = async (deps: IssueDeps, client: OAuthClient): Promise<Readonly<Record<string, string>>> => {
  const counted = await rateLimitOrganization(deps, client.organizationId, ['requests']);
  if (counted === null || creatorRole(counted.organization, client.creators) === undefined) throw invalidClient();
  if (!plans[counted.organization.plan].features.oauth_clients)
    throw oauthError(
      'unauthorized_client',
      'The plan of the organization does not include OAuth clients',
      counted.headers,
    );
  return counted.headers;
};

/** Returns the requested scopes, by default all of the client's. Throws `invalid_scope`. */
const grantedScopes = (
  requested: string | undefined,
  client: OAuthClient,
  headers: Readonly<Record<string, string>>,
): readonly Permission[] => {
  if (requested === undefined) return client.scopes;
  const names = requested.split(' ');
  if (!names.every((name) => client.scopes.some((scope) => scope === name)))
    throw oauthError('invalid_scope', `The scopes of this client are: ${client.scopes.join(' ')}`, headers);
  return client.scopes.filter((scope) => names.includes(scope));
};

/** Issues an access token for one hour. Throws 429 and the errors of RFC 6749, 5.2. */
export const issueAccessToken = async (
  {
    deps,
    idempotency,
    authorization,
  }: { readonly deps: IssueDeps; readonly idempotency: IdempotencyContext; readonly authorization: string | null },
  request: z.output<typeof TokenRequest>,
): Promise<Issued> => {
  const { id, secret } = clientCredentialsOf(authorization, request);
  const client = await deps.clients.verify(id, secret);
  if (client === null || client.revokedAt !== null || client.hasRevokedCreator) throw invalidClient();
  const headers = await rateLimitClient(deps, client);
  if (request.grant_type !== 'client_credentials')
    throw oauthError(
      'unsupported_grant_type',
      'The grant types are client_credentials, authorization_code and refresh_token',
      headers,
    );
  const scopes = grantedScopes(request.scope, client, headers);
  const token = newToken('access_token', idempotency.secret());
  const expiresAt = laterBy(idempotency.at, accessTokenSeconds * 1000).toISOString();
  await deps.clients.addAccessToken({ clientId: client.id, scopes, expiresAt }, token);
  return { token, refreshToken: null, scopes, expiresInSeconds: accessTokenSeconds, headers };
};

import type * as z from 'zod';
import { laterBy } from '../kernel/clock.ts';
import type { Deps } from '../kernel/capability.ts';
import { plans } from '../kernel/plans.ts';
import type { Creation } from '../http/creation.ts';
import type { Permission } from '../http/principal.ts';
import { admissionUses, admitOrganization } from './admit-organization.ts';
import { clientProof, unprovenClient } from './client-proof.ts';
import { oauthClientsWrite } from './capabilities.ts';
import type { OAuthClient } from './client-repository.ts';
import { creatorRole } from './creators.ts';
import { oauthRefusal } from './oauth-refusal.ts';
import type { TokenRequest } from './schemas.ts';
import { newToken } from './token.ts';

const accessTokenSeconds = 3600;

/** What the token endpoint may touch. */
export const issueAccessTokenUses = { clients: oauthClientsWrite, ...admissionUses };

type IssueDeps = Deps<typeof issueAccessTokenUses>;

/** A token as its client gets it, with the headers that say what is left of the rate limit. */
interface Issued {
  readonly token: string;
  readonly scopes: readonly Permission[];
  readonly expiresInSeconds: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Counts the request against the client's organization. Throws 429 and `unauthorized_client`. */
const admitClient = async (deps: IssueDeps, client: OAuthClient): Promise<Readonly<Record<string, string>>> => {
  const admitted = await admitOrganization(deps, client.organizationId, ['requests']);
  if (admitted === null || creatorRole(admitted.organization, client.creators) === undefined) throw unprovenClient();
  if (!plans[admitted.organization.plan].features.oauth_clients)
    throw oauthRefusal(
      'unauthorized_client',
      'The plan of the organization does not include OAuth clients',
      admitted.headers,
    );
  return admitted.headers;
};

/** The scopes that a request asks for, or all of the client's. Throws `invalid_scope`. */
const grantedScopes = (
  asked: string | undefined,
  client: OAuthClient,
  headers: Readonly<Record<string, string>>,
): readonly Permission[] => {
  if (asked === undefined) return client.scopes;
  const names = asked.split(' ');
  if (!names.every((name) => client.scopes.some((scope) => scope === name)))
    throw oauthRefusal('invalid_scope', `The scopes of this client are: ${client.scopes.join(' ')}`, headers);
  return client.scopes.filter((scope) => names.includes(scope));
};

/** Gives a client a token for an hour. Throws 429 and the refusals of RFC 6749, 5.2. */
export const issueAccessToken = async (
  {
    deps,
    creation,
    authorization,
  }: { readonly deps: IssueDeps; readonly creation: Creation; readonly authorization: string | null },
  request: z.output<typeof TokenRequest>,
): Promise<Issued> => {
  const { id, secret } = clientProof(authorization, request);
  const client = await deps.clients.verify(id, secret);
  if (client === null || client.revokedAt !== null || client.hasRevokedCreator) throw unprovenClient();
  const headers = await admitClient(deps, client);
  if (request.grant_type !== 'client_credentials')
    throw oauthRefusal('unsupported_grant_type', 'The one grant type is client_credentials', headers);
  const scopes = grantedScopes(request.scope, client, headers);
  const token = newToken('access_token', creation.secret());
  const expiresAt = laterBy(creation.at, accessTokenSeconds * 1000).toISOString();
  await deps.clients.addAccessToken({ clientId: client.id, scopes, expiresAt }, token);
  return { token, scopes, expiresInSeconds: accessTokenSeconds, headers };
};

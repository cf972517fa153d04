import { isDeepStrictEqual } from 'node:util';
import type { Deps } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { withoutTotals } from '../http/totals.ts';
import type { Authenticate, Credentials } from '../http/authentication.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { invalidToken } from '../http/www-authenticate.ts';
import type { Permission, Principal } from '../http/principal.ts';
import { rateLimitCaller, rateLimitCallerUses } from './rate-limit-organization.ts';
import { credentialsRead } from './capabilities.ts';
import { creatorRole } from './creators.ts';
import { hasExpired, isId } from './items.ts';
import { keyUsesWrite } from './key-uses.ts';
import { type ExpectedCaller, recentCallers } from './recent-callers.ts';
import { revocationOf } from './revocation.ts';
import type { ApiKey, Credential } from './repository.ts';
import type { Session } from './session-repository.ts';
import { isToken, kindNameOf, tokenHash } from './token.ts';
import { type SpendingWatch, spendingWatch } from '../usage/index.ts';
import {
  boundsOfClaims,
  claimsFault,
  isUserToken,
  readClaims,
  userTokenVerify,
  type UserTokenVerifier,
} from './user-tokens.ts';

/** Capabilities of every authenticated endpoint, besides its own `uses`. */
export const authenticationUses = {
  credentials: credentialsRead,
  keyUses: keyUsesWrite,
  ...rateLimitCallerUses,
};

/**
 * Returns the capabilities of an authenticated endpoint. Only some may see how tokens of end users are verified. Those with
 * a rate of their own add to the cost of the organization.
 */
export const authenticationUsesOf = ({ auth, rate }: Pick<Endpoint, 'auth' | 'rate'>) => ({
  ...authenticationUses,
  ...(rate === undefined ? {} : { spending: spendingWatch }),
  ...(auth.servesUsers === true ? { userTokens: userTokenVerify } : {}),
});

type AuthenticationDeps = Deps<typeof authenticationUses> & {
  readonly userTokens?: UserTokenVerifier;
  readonly spending?: SpendingWatch;
};

const unauthenticated = (cause: string): AppError =>
  new AppError('unauthenticated', 'Invalid or missing credentials', { cause, headers: invalidToken });

/** Form of a JWT, such as an ID token: three parts of base64url. */
const jwt = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const invalidUserToken = (cause: string): AppError =>
  new AppError('unauthenticated', 'The token of the end user is not valid', { cause, headers: invalidToken });

/** Returns the error for a bearer value that no credential has. Its message names what the value seems to be. */
const malformed = (bearer: string): AppError => {
  const cause = 'no bearer value of a known form';
  const refused = (message: string): AppError =>
    new AppError('unauthenticated', message, { cause, headers: invalidToken });
  if (isToken(bearer, 'client_secret'))
    return refused('This is a client secret. Exchange it for an access token with POST /v1/oauth/token.');
  if (isToken(bearer, 'refresh_token', 'authorization_code'))
    return refused('This is not an access token. Exchange it for one with POST /v1/oauth/token.');
  const kind = kindNameOf(bearer);
  if (kind !== null) return refused(`The ${kind} is mistyped or truncated: its checksum does not match`);
  if (jwt.test(bearer))
    return refused('This looks like an ID token. Exchange it for a session token with POST /v1/auth/bootstrap.');
  return unauthenticated(cause);
};

/** Returns a bearer value that has the form of a credential. Throws 401 for others. */
const requireForm = (bearer: string | null): string => {
  if (bearer === null)
    throw new AppError('unauthenticated', 'Send the header Authorization: Bearer, and a key or token');
  if (!isUserToken(bearer) && !isToken(bearer, 'api_key', 'access_token', 'session')) throw malformed(bearer);
  return bearer;
};

const keyRevoked = (message: string): AppError => new AppError('key_revoked', message);
const wrongOrganization = (): AppError =>
  new AppError('organization_not_allowed', 'These credentials do not belong to that organization');

/** Caller without the properties that depend on the record of the organization. */
type KnownCaller = Omit<Principal, 'plan' | 'creatorRole' | 'credentialHash'>;

/** Returns the caller of an API key, OAuth client or grant. Throws 403 if another organization is selected. */
const programCaller = (
  kind: Exclude<Principal['kind'], 'session'>,
  subject: Pick<ApiKey, 'id' | 'organizationId' | 'creators' | 'indexIds' | 'bounds' | 'limits' | 'expiresAt'>,
  permissions: readonly Permission[],
  selected: string | null,
): KnownCaller => {
  if (selected !== null && selected !== subject.organizationId) throw wrongOrganization();
  return {
    organizationId: subject.organizationId,
    kind,
    subjectId: subject.id,
    creators: subject.creators,
    permissions,
    indexIds: subject.indexIds,
    bounds: subject.bounds,
    limits: subject.limits,
    expiresAt: subject.expiresAt,
    role: null,
    email: null,
  };
};

const sessionCaller = async (
  deps: AuthenticationDeps,
  session: Session,
  selected: string | null,
): Promise<KnownCaller> => {
  if (selected !== null && !isId(selected)) throw wrongOrganization();
  const membership =
    selected === null
      ? (await deps.organizations.membershipsOf(session.userId))[0]
      : await deps.organizations.membership(session.userId, selected);
  if (membership === undefined || membership === null) throw wrongOrganization();
  return {
    organizationId: membership.organizationId,
    kind: 'session',
    subjectId: session.userId,
    creators: [],
    permissions: ['read', 'write'],
    indexIds: null,
    bounds: null,
    limits: null,
    expiresAt: null,
    role: membership.role,
    email: session.email,
  };
};

const callerOf = async (
  deps: AuthenticationDeps,
  credential: Credential,
  selected: string | null,
): Promise<KnownCaller> => {
  switch (credential.kind) {
    case 'api_key':
      return programCaller('api_key', credential, credential.permissions, selected);
    case 'access_token':
      return programCaller('access_token', { ...credential.client, expiresAt: null }, credential.scopes, selected);
    case 'grant':
      return programCaller('grant', credential.grant, credential.grant.scopes, selected);
    case 'session':
      return sessionCaller(deps, credential, selected);
  }
};

/** Returns the caller of a token that was minted for an end user, by the current state of its API key. Throws 401 and 403. */
const userCaller = async (
  { credentials, userTokens }: AuthenticationDeps,
  clock: Clock,
  bearer: string,
  selected: string | null,
): Promise<KnownCaller> => {
  if (userTokens === undefined)
    throw new AppError('unauthenticated', 'A token of an end user may only search', { headers: invalidToken });
  const claims = readClaims(bearer);
  const hash = claims === null ? null : await userTokens.verify(bearer, claims);
  if (claims === null || hash === null) throw invalidUserToken('no token of a known form and key');
  const key = requireValid(await credentials.findStored(hash), clock);
  if (key.kind !== 'api_key') throw invalidUserToken('not minted with an API key');
  const fault = claimsFault(claims, clock.now());
  if (fault === 'expired') throw new AppError('token_expired', 'The token of the end user has expired');
  const isWider = claims.index_ids.some((id) => key.indexIds?.includes(id) === false);
  if (fault !== null || isWider) throw invalidUserToken('wider than its key, or valid for too long');
  const permissions = key.permissions.filter((permission) => permission === 'read');
  const expiresAt = new Date(claims.exp * 1000).toISOString();
  const bounds = boundsOfClaims(claims, key.bounds);
  return programCaller('user_token', { ...key, indexIds: claims.index_ids, bounds, expiresAt }, permissions, selected);
};

const requireValid = (credential: Credential | null, clock: Clock): Credential => {
  if (credential === null) throw unauthenticated('unknown bearer value');
  if (credential.kind === 'session') {
    if (credential.revokedAt !== null) throw unauthenticated('the session was ended');
  } else {
    const revocation = revocationOf(credential);
    if (revocation !== null) throw revocation;
  }
  if (hasExpired(credential.expiresAt, clock)) throw new AppError('token_expired', 'These credentials have expired');
  return credential;
};

/** Throws 401 for a token that was granted for another resource than the requested address. Source: RFC 8707, 2. */
const requireResource = (credential: Credential, address: string | undefined): Credential => {
  if (credential.kind !== 'grant') return credential;
  const { resource } = credential.grant;
  if (address === resource || address?.startsWith(`${resource}/`) === true) return credential;
  throw new AppError('unauthenticated', `This access token is for ${resource} only`, { headers: invalidToken });
};

/** Rate limit check in progress. */
interface Counting {
  readonly expected: ExpectedCaller;
  readonly counted: ReturnType<typeof rateLimitCaller>;
}

/** Ends a request that was counted for an expected organization that is not that of the caller. */
const endEarly = async (early: Counting | null): Promise<void> => {
  const counted = await early?.counted.catch(() => null);
  await counted?.end();
};

const knownCaller = async (
  deps: AuthenticationDeps,
  clock: Clock,
  bearer: string,
  { organizationId: selected, address }: Credentials,
): Promise<KnownCaller> => {
  if (isUserToken(bearer)) return userCaller(deps, clock, bearer, selected);
  const credential = requireValid(await deps.credentials.find(bearer), clock);
  return callerOf(deps, requireResource(credential, address), selected);
};

/**
 * Opens the only function that turns a bearer value into a principal. It throws 401 for the credential, 403 for the selected
 * organization and 429 for the rate limit. Credentials that were valid in the last minute are read concurrently with the
 * rate limit check and the prefetch. Only their current state decides, so a credential that was just revoked costs one
 * more count of the rate limit.
 */
export const authenticator = (deps: AuthenticationDeps, clock: Clock): Authenticate => {
  const recent = recentCallers(clock);
  return async (sent, rates, weight, onIdentified) => {
    const { organizationId: selected } = sent;
    const bearer = requireForm(sent.bearer);
    const credentialHash = tokenHash(bearer);
    const caller = `${credentialHash} ${selected}`;
    const expected = recent.expected(caller);
    const startCounting = (now: ExpectedCaller): Counting => {
      // Nothing is prefetched for a caller who was refused in the last minute.
      if (expected !== null) onIdentified?.(now.organizationId, now.bounds);
      const counted = rateLimitCaller(deps, clock, now, rates, weight);
      // The promise may stay without a consumer if the credentials are refused.
      counted.catch(() => undefined);
      return { expected: now, counted };
    };
    const early = expected == null ? null : startCounting(expected);
    recent.forget(caller);
    const known = await knownCaller(deps, clock, bearer, sent).catch(async (error: unknown) => {
      await endEarly(early);
      throw error;
    });
    const { organizationId, subjectId, bounds, limits } = known;
    const current = { organizationId, subjectId, bounds, limits };
    recent.remember(caller, current);
    const isEarly = early !== null && isDeepStrictEqual(early.expected, current);
    if (!isEarly) await endEarly(early);
    const { counted } = isEarly ? early : startCounting(current);
    const counting = await counted.catch((error: unknown) => {
      recent.remember(caller, null);
      throw known.bounds === null ? error : withoutTotals(error);
    });
    if (counting === null) throw unauthenticated('the organization does not exist');
    const { organization, headers, ownHeaders, end } = counting;
    const role = creatorRole(organization, known.creators);
    if (role === undefined) {
      await end();
      recent.remember(caller, null);
      throw keyRevoked('The user who created this credential no longer belongs to the organization');
    }
    if (expected === null) onIdentified?.(known.organizationId, known.bounds);
    const isOfKey = known.kind === 'api_key' || known.kind === 'user_token';
    const useStored = isOfKey ? deps.keyUses.record(known.organizationId, known.subjectId) : null;
    return {
      caller: { ...known, plan: organization.plan, creatorRole: role, credentialHash },
      // Those of the plan show how much the whole organization has used.
      headers: known.bounds === null ? headers : ownHeaders,
      end: async () => {
        await Promise.all([end(), useStored?.()]);
      },
    };
  };
};

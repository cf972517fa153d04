import type { Deps } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Authenticate } from '../http/admission.ts';
import { invalidToken } from '../http/challenge.ts';
import type { Permission, Principal } from '../http/principal.ts';
import { admissionUses, admitOrganization } from './admit-organization.ts';
import { credentialsRead } from './capabilities.ts';
import { creatorRole } from './creators.ts';
import { hasExpired, isId } from './items.ts';
import { recentCallers } from './recent-callers.ts';
import type { ApiKey, Credential } from './repository.ts';
import type { Session } from './session-repository.ts';
import { isToken, kindNameOf, tokenHash } from './token.ts';

/** What every authenticated endpoint may touch besides its own `uses`. */
export const authenticationUses = {
  credentials: credentialsRead,
  ...admissionUses,
};

type AuthenticationDeps = Deps<typeof authenticationUses>;

const unauthenticated = (cause: string): AppError =>
  new AppError('unauthenticated', 'Invalid or missing credentials', { cause, headers: invalidToken });

/** Three parts of base64url, as an ID token has them. */
const jwt = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The refusal of a bearer value that no credential can have. It says what the value seems to be. */
const malformed = (bearer: string): AppError => {
  const cause = 'no bearer value of a known form';
  const refused = (message: string): AppError =>
    new AppError('unauthenticated', message, { cause, headers: invalidToken });
  if (isToken(bearer, 'client_secret'))
    return refused('This is a client secret: POST /v1/oauth/token gives an access token for it');
  const kind = kindNameOf(bearer);
  if (kind !== null) return refused(`The ${kind} is mistyped or cut: its last characters do not match the rest`);
  if (jwt.test(bearer))
    return refused('This looks like an ID token: POST /v1/auth/bootstrap gives a session token for it');
  return unauthenticated(cause);
};

const keyRevoked = (message: string): AppError => new AppError('key_revoked', message);
const wrongOrganization = (): AppError =>
  new AppError('organization_not_allowed', 'These credentials do not belong to that organization');

/** A caller but for what the record of the organization says, which the request also counts against. */
type Known = Omit<Principal, 'plan' | 'creatorRole' | 'credentialHash'>;

/** The caller that a key or a client is: of one organization, with rights of its own. */
const programCaller = (
  kind: 'api_key' | 'access_token',
  subject: Pick<ApiKey, 'id' | 'organizationId' | 'creators' | 'indexIds' | 'expiresAt'>,
  permissions: readonly Permission[],
  selected: string | null,
): Known => {
  if (selected !== null && selected !== subject.organizationId) throw wrongOrganization();
  return {
    organizationId: subject.organizationId,
    kind,
    subjectId: subject.id,
    creators: subject.creators,
    permissions,
    indexIds: subject.indexIds,
    expiresAt: subject.expiresAt,
    role: null,
    email: null,
  };
};

const sessionCaller = async (deps: AuthenticationDeps, session: Session, selected: string | null): Promise<Known> => {
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
    expiresAt: null,
    role: membership.role,
    email: session.email,
  };
};

const callerOf = async (deps: AuthenticationDeps, credential: Credential, selected: string | null): Promise<Known> => {
  switch (credential.kind) {
    case 'api_key':
      return programCaller('api_key', credential, credential.permissions, selected);
    case 'access_token':
      return programCaller('access_token', { ...credential.client, expiresAt: null }, credential.scopes, selected);
    case 'session':
      return sessionCaller(deps, credential, selected);
  }
};

const requireValid = (credential: Credential | null, clock: Clock): Credential => {
  if (credential === null) throw unauthenticated('unknown bearer value');
  if (credential.kind === 'session') {
    if (credential.revokedAt !== null) throw unauthenticated('the session was ended');
  } else {
    const isKey = credential.kind === 'api_key';
    const program = isKey ? credential : credential.client;
    if (program.revokedAt !== null)
      throw keyRevoked(isKey ? 'This API key has been revoked' : 'The OAuth client of this token has been revoked');
    if (program.hasRevokedCreator) throw keyRevoked('A credential that this one was created by has been revoked');
  }
  if (hasExpired(credential.expiresAt, clock)) throw new AppError('token_expired', 'These credentials have expired');
  return credential;
};

type Admitting = ReturnType<typeof admitOrganization>;

/** An admission that has begun. */
interface Begun {
  readonly organizationId: string;
  readonly admitting: Admitting;
}

/** Ends a request that was counted for an organization that turns out not to be the caller's. */
const endEarly = async (early: Begun | null): Promise<void> => {
  const admitted = await early?.admitting.catch(() => null);
  await admitted?.end();
};

const knownCaller = async (
  deps: AuthenticationDeps,
  clock: Clock,
  bearer: string,
  selected: string | null,
): Promise<Known> => callerOf(deps, requireValid(await deps.credentials.find(bearer), clock), selected);

/**
 * The one path from a bearer value to a principal. Throws 401 for the credential, 403 for the chosen organization and 429
 * for the rate limit. Where the same credentials were good a moment ago, they are read beside the admission and the look
 * ahead instead of before them; what they are worth now alone decides, and those just revoked count once more against the
 * rate limit.
 */
export const authenticator = (deps: AuthenticationDeps, clock: Clock): Authenticate => {
  const recent = recentCallers(clock);
  return async ({ bearer, organizationId: selected }, rates, weight, onKnown) => {
    if (bearer === null)
      throw new AppError('unauthenticated', 'Send the header Authorization: Bearer, and a key or token');
    if (!isToken(bearer, 'api_key', 'access_token', 'session')) throw malformed(bearer);
    const credentialHash = tokenHash(bearer);
    const caller = `${credentialHash} ${selected}`;
    const expected = recent.organizationOf(caller);
    const begin = (organizationId: string): Begun => {
      // For whoever was refused a moment ago, and may be so again, nothing is begun in vain.
      if (expected !== null) onKnown?.(organizationId);
      const admitting = admitOrganization(deps, organizationId, rates, weight);
      // Refused credentials leave nobody who waits for it.
      admitting.catch(() => undefined);
      return { organizationId, admitting };
    };
    const early = typeof expected === 'string' ? begin(expected) : null;
    recent.forget(caller);
    const known = await knownCaller(deps, clock, bearer, selected).catch(async (error: unknown) => {
      await endEarly(early);
      throw error;
    });
    recent.remember(caller, known.organizationId);
    const isEarly = early?.organizationId === known.organizationId;
    if (!isEarly) await endEarly(early);
    const { admitting } = isEarly ? early : begin(known.organizationId);
    const admitted = await admitting.catch((error: unknown) => {
      recent.remember(caller, null);
      throw error;
    });
    if (admitted === null) throw unauthenticated('the organization is gone');
    const { organization, headers, end } = admitted;
    const role = creatorRole(organization, known.creators);
    if (role === undefined) {
      await end();
      recent.remember(caller, null);
      throw keyRevoked('The user who created this credential does not belong to the organization any more');
    }
    if (expected === null) onKnown?.(known.organizationId);
    return { caller: { ...known, plan: organization.plan, creatorRole: role, credentialHash }, headers, end };
  };
};

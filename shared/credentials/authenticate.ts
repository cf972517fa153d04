import type { Deps } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Authenticate } from '../http/handle.ts';
import type { Principal } from '../http/principal.ts';
import { type Organization, organizationsRead } from '../organizations/index.ts';
import { credentialsRead } from './capabilities.ts';
import type { ApiKey } from './repository.ts';
import { tokenKind } from './token.ts';

/** What every authenticated endpoint may touch besides its own `uses`. */
export const authenticationUses = {
  credentials: credentialsRead,
  organizations: organizationsRead,
};

type AuthenticationDeps = Deps<typeof authenticationUses>;

const unauthenticated = (cause: string): AppError =>
  new AppError('unauthenticated', 'Invalid or missing credentials', { cause });
const wrongOrganization = (): AppError =>
  new AppError('organization_not_allowed', 'These credentials do not belong to that organization');

const requireOrganization = (organization: Organization | null): Organization => {
  if (organization === null) throw unauthenticated('the organization is gone');
  return organization;
};

const keyPrincipal = async (deps: AuthenticationDeps, key: ApiKey, selected: string | null): Promise<Principal> => {
  if (selected !== null && selected !== key.organizationId) throw wrongOrganization();
  const { plan } = requireOrganization(await deps.organizations.get(key.organizationId));
  return {
    organizationId: key.organizationId,
    plan,
    kind: 'api_key',
    subjectId: key.id,
    permissions: key.permissions,
    indexIds: key.indexIds,
    role: null,
  };
};

const sessionPrincipal = async (
  deps: AuthenticationDeps,
  userId: string,
  selected: string | null,
): Promise<Principal> => {
  const membership =
    selected === null
      ? (await deps.organizations.membershipsOf(userId))[0]
      : await deps.organizations.membership(userId, selected);
  if (membership === undefined || membership === null) throw wrongOrganization();
  const { plan } = requireOrganization(await deps.organizations.get(membership.organizationId));
  return {
    organizationId: membership.organizationId,
    plan,
    kind: 'session',
    subjectId: userId,
    permissions: ['read', 'write'],
    indexIds: null,
    role: membership.role,
  };
};

/** The one path from a bearer value to a principal. Throws 401 for the credential, 403 for the chosen organization. */
export const authenticator =
  (deps: AuthenticationDeps, clock: Clock): Authenticate =>
  async ({ bearer, organizationId }) => {
    if (bearer === null || tokenKind(bearer) === null) throw unauthenticated('no bearer value of a known form');
    const credential = await deps.credentials.find(bearer);
    if (credential === null) throw unauthenticated('unknown bearer value');
    if (credential.kind === 'api_key' && credential.revokedAt !== null)
      throw new AppError('key_revoked', 'This API key has been revoked');
    if (credential.expiresAt !== null && credential.expiresAt <= clock.now().toISOString()) {
      throw new AppError('token_expired', 'These credentials have expired');
    }
    return credential.kind === 'api_key'
      ? keyPrincipal(deps, credential, organizationId)
      : sessionPrincipal(deps, credential.userId, organizationId);
  };

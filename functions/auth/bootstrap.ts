import { newToken, credentialsWrite, identityVerify } from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import {
  BootstrapResponse,
  type Membership,
  type OrganizationReader,
  organizationsWrite,
  toWorkspace,
} from '../../shared/organizations/index.ts';

const sessionHours = 12;

const workspacesOf = async (organizations: OrganizationReader, memberships: readonly Membership[]) => {
  const found = await Promise.all(
    memberships.map(async ({ organizationId, role }) => {
      const organization = await organizations.get(organizationId);
      return organization === null ? [] : [toWorkspace(organization, role)];
    }),
  );
  return found.flat();
};

export const bootstrap = endpoint({
  id: 'bootstrap',
  method: 'POST',
  path: '/v1/auth/bootstrap',
  tag: 'Authentication',
  summary: 'Open a session',
  description:
    'The bearer is an ID token of the configured identity provider. The first call of a user creates the user and an organization that they own; repeats open further sessions.',
  auth: { needs: 'identity' },
  uses: { identity: identityVerify, organizations: organizationsWrite, credentials: credentialsWrite },
  status: 200,
  response: BootstrapResponse,
  handle: async ({ bearer, deps, creation }) => {
    if (bearer === null) throw new AppError('unauthenticated', 'An ID token is needed');
    const identity = await deps.identity.verify(bearer);
    const user = await deps.organizations.admit(identity);
    const memberships = await deps.organizations.membershipsOf(user.id);
    const token = newToken('session', creation.secret());
    const expiresAt = new Date(creation.at.getTime() + sessionHours * 3_600_000).toISOString();
    await deps.credentials.addSession({ userId: user.id, email: identity.email, expiresAt }, token);
    return {
      user,
      session_token: token,
      expires_at: expiresAt,
      organizations: await workspacesOf(deps.organizations, memberships),
      pending_invitations: [],
    };
  },
});

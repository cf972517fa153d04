import { newToken, credentialsWrite, identityVerify } from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { laterBy } from '../../shared/kernel/clock.ts';
import { hourMs } from '../../shared/kernel/durations.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import {
  BootstrapResponse,
  invitationsRead,
  organizationsWrite,
  pendingInvitations,
  toInvitation,
  toWorkspace,
} from '../../shared/organizations/index.ts';
import { trafficUse } from '../../shared/usage/index.ts';

const sessionHours = 12;

/** Characters of the name of a client that a session keeps. */
const maxUserAgent = 255;

export const bootstrap = endpoint({
  id: 'bootstrap',
  // Generators of clients call the response of an operation `bootstrap` as its schema is called already.
  operationId: 'openSession',
  method: 'POST',
  path: '/v1/auth/bootstrap',
  tag: 'Authentication',
  summary: 'Open a session',
  description:
    'The bearer is an ID token of the configured identity provider. The first call of a user creates the user and an organization that they own; repeats open further sessions and take over an address and a name that have changed at the provider. Somebody whom every organization has let go gets one of their own again, as long as no more than three are made for them in a month; then the answer is a 403. `pending_invitations` are those that can be accepted now. The call counts against the rate limit of the first of `organizations`.',
  auth: { needs: 'identity' },
  refuses: ['forbidden'],
  uses: {
    identity: identityVerify,
    organizations: organizationsWrite,
    invitations: invitationsRead,
    credentials: credentialsWrite,
    traffic: trafficUse,
  },
  status: 200,
  response: BootstrapResponse,
  handle: async ({ bearer, deps, creation, userAgent }) => {
    if (bearer === null) throw new AppError('unauthenticated', 'An ID token is needed');
    const identity = await deps.identity.verify(bearer);
    const { user, memberships } = await deps.organizations.admit(identity);
    const [first] = memberships;
    if (first === undefined) throw new Error('a user was admitted to no organization');
    const [counted, pending] = await Promise.all([
      deps.traffic.count(first.organizationId, ['requests']),
      pendingInvitations(deps, identity.email, memberships),
    ]);
    const headers = await counted.admit(first.organization.plan);
    const token = newToken('session', creation.secret());
    const expiresAt = laterBy(creation.at, sessionHours * hourMs).toISOString();
    const session = {
      id: creation.id('sess'),
      userId: user.id,
      email: identity.email,
      createdAt: creation.at.toISOString(),
      expiresAt,
      userAgent: userAgent?.slice(0, maxUserAgent) ?? null,
    };
    await deps.credentials.addSession(session, token);
    const body = {
      user,
      session_token: token,
      expires_at: expiresAt,
      organizations: memberships.map(({ organization, role }) => toWorkspace(organization, role)),
      pending_invitations: pending.map(({ invitation, organizationName }) => ({
        ...toInvitation(invitation),
        organization_name: organizationName,
      })),
    };
    return { body, headers };
  },
});

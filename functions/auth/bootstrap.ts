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
import { planTerms, rateLimiter } from '../../shared/usage/index.ts';

const sessionHours = 12;

/** Maximum length of the stored `user-agent` header. */
const maxUserAgent = 255;

export const bootstrap = endpoint({
  id: 'bootstrap',
  // The operation id `bootstrap` would clash with the schema `BootstrapResponse` in generated clients.
  operationId: 'openSession',
  method: 'POST',
  path: '/v1/auth/bootstrap',
  tag: 'Authentication',
  summary: 'Open a session',
  description:
    'Opens a session for an ID token of the configured identity provider, which is the bearer value. The first call of a user creates the user and an organization that they own. Later calls open further sessions and update the e-mail address and name from the provider. A user who belongs to no organization any more gets a new one, at most three a month; then the call returns 403. `pending_invitations` are the invitations that the user can accept now. The call counts against the rate limit of the first organization of the response.',
  auth: { needs: 'identity' },
  audit: { action: 'session.created', isAnnounced: true },
  errorCodes: ['forbidden'],
  uses: {
    identity: identityVerify,
    organizations: organizationsWrite,
    invitations: invitationsRead,
    credentials: credentialsWrite,
    rateLimiter,
  },
  returnsSecret: true,
  status: 200,
  response: BootstrapResponse,
  handle: async ({ bearer, deps, idempotency, userAgent, announce }) => {
    if (bearer === null) throw new AppError('unauthenticated', 'An ID token is needed');
    const identity = await deps.identity.verify(bearer);
    const { user, memberships } = await deps.organizations.signIn(identity);
    const [first] = memberships;
    if (first === undefined) throw new Error('a user signed in without an organization');
    const [counted, pending] = await Promise.all([
      deps.rateLimiter.count(first.organizationId, ['requests']),
      pendingInvitations(deps, identity.email, memberships),
    ]);
    const headers = await counted.enforce(planTerms[first.organization.plan]);
    const token = newToken('session', idempotency.secret());
    const expiresAt = laterBy(idempotency.at, sessionHours * hourMs).toISOString();
    const session = {
      id: idempotency.id('sess'),
      userId: user.id,
      email: identity.email,
      createdAt: idempotency.at.toISOString(),
      expiresAt,
      userAgent: userAgent?.slice(0, maxUserAgent) ?? null,
    };
    const actor = { kind: 'session', id: user.id, email: identity.email, creators: [] } as const;
    await announce(
      memberships.map(({ organization }) => ({
        organizationId: organization.id,
        actor,
        resource: { id: session.id, name: null },
      })),
    );
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

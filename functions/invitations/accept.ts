import { endpoint } from '../../shared/http/endpoint.ts';
import {
  acceptInvitation as accept,
  BillingActionResponse,
  InvitationAccept,
  invitationsWrite,
  membersWrite,
  organizationsRead,
} from '../../shared/organizations/index.ts';

export const acceptInvitation = endpoint({
  id: 'accept-invitation',
  method: 'POST',
  path: '/v1/organization/invitations/accept',
  tag: 'Organizations',
  summary: 'Accept an invitation',
  description:
    'Makes the user of the session a member of the organization that invited their verified e-mail address. Returns 404 for an unknown or revoked invitation and for one of another address. Returns 409 for an invitation that has expired or was accepted before, and if the user is already a member.',
  auth: { needs: 'session' },
  audit: { action: 'invitation.accepted', isAnnounced: true },
  errorCodes: ['not_found', 'conflict'],
  idempotent: true,
  uses: { organizations: organizationsRead, members: membersWrite, invitations: invitationsWrite },
  ignoresUnknownFields: true,
  body: InvitationAccept,
  status: 200,
  response: BillingActionResponse,
  handle: async ({ body, caller, deps, idempotency, announce }) => {
    const user = { id: caller.subjectId, email: caller.email };
    const invitation = await deps.invitations.find(body.invitation_id);
    if (invitation !== null && invitation.email === caller.email) {
      const { organizationId, id, email: name } = invitation;
      await announce([{ organizationId, resource: { id, name } }]);
    }
    const { organizationId, role } = await accept(deps, user, body.invitation_id, idempotency);
    return { status: 'accepted', organization_id: organizationId, role };
  },
});

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
    'Makes the user of the session a member of the organization that has invited their verified e-mail address, whichever organization the session acts for. An invitation of another address, a revoked one and an unknown one are the same 404. An expired one, one that was accepted before, and one to an organization of the user’s own are 409.',
  auth: { needs: 'session' },
  refuses: ['not_found', 'conflict'],
  repeatable: true,
  uses: { organizations: organizationsRead, members: membersWrite, invitations: invitationsWrite },
  body: InvitationAccept,
  status: 200,
  response: BillingActionResponse,
  handle: async ({ body, caller, deps, creation }) => {
    const user = { id: caller.subjectId, email: caller.email };
    const { organizationId, role } = await accept(deps, user, body.invitation_id, creation);
    return { status: 'accepted', organization_id: organizationId, role };
  },
});

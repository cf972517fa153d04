import { endpoint } from '../../shared/http/endpoint.ts';
import {
  InvitationCreate,
  InvitationResponse,
  invitationsWrite,
  invite,
  membersRead,
  toInvitation,
} from '../../shared/organizations/index.ts';

export const createInvitation = endpoint({
  id: 'create-invitation',
  method: 'POST',
  path: '/v1/organization/invitations',
  tag: 'Organizations',
  summary: 'Create an invitation',
  description:
    'Invites an e-mail address for seven days. A user who signs in with this verified address can accept. The service sends no e-mail: `POST /v1/auth/bootstrap` returns pending invitations. Inviting an address again renews its open invitation, which keeps its id and gets the new role and expiry. Returns 409 if the address belongs to a member, and 402 if members and open invitations together reach the limit `members` of the plan.',
  auth: { needs: 'owner' },
  audit: {
    action: 'invitation.created',
    before: ({ body }) => ({ name: body.email }),
    after: ({ id }) => ({ id }),
    details: ['role'],
  },
  errorCodes: ['plan_limit_reached', 'conflict'],
  idempotent: true,
  uses: { invitations: invitationsWrite, members: membersRead },
  ignoresUnknownFields: true,
  body: InvitationCreate,
  status: 201,
  response: InvitationResponse,
  handle: async ({ body, caller, deps, idempotency }) => toInvitation(await invite(deps, caller, body, idempotency)),
});

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
  summary: 'Invite somebody',
  description:
    'For seven days whoever signs in with this verified e-mail address can accept. The service sends no mail: `POST /v1/auth/bootstrap` shows them what is pending. Inviting an address again renews its open invitation, which keeps its id and takes the new role and expiry; for a member it is 409. Members and open invitations count together against the limit `members`: 402.',
  auth: { needs: 'owner' },
  refuses: ['plan_limit_reached', 'conflict'],
  repeatable: true,
  uses: { invitations: invitationsWrite, members: membersRead },
  body: InvitationCreate,
  status: 201,
  response: InvitationResponse,
  handle: async ({ body, caller, deps, creation }) => toInvitation(await invite(deps, caller, body, creation)),
});

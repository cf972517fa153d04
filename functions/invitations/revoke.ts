import { endpoint } from '../../shared/http/endpoint.ts';
import { invitationsWrite, revokeInvitation as revoke } from '../../shared/organizations/index.ts';

export const revokeInvitation = endpoint({
  id: 'revoke-invitation',
  method: 'DELETE',
  path: '/v1/organization/invitations/{invitation_id}',
  tag: 'Organizations',
  summary: 'Revoke an invitation',
  description: 'Holds at once. An accepted invitation cannot be revoked: 409; remove the member instead.',
  auth: { needs: 'owner' },
  refuses: ['conflict'],
  uses: { invitations: invitationsWrite },
  status: 204,
  handle: async ({ path, caller, deps }) => {
    await revoke(deps.invitations, caller.organizationId, path.invitation_id);
    return undefined;
  },
});

import { endpoint } from '../../shared/http/endpoint.ts';
import { invitationsWrite, revokeInvitation as revoke } from '../../shared/organizations/index.ts';

export const revokeInvitation = endpoint({
  id: 'revoke-invitation',
  method: 'DELETE',
  path: '/v1/organization/invitations/{invitation_id}',
  tag: 'Organizations',
  summary: 'Revoke an invitation',
  description: 'The invitation cannot be accepted any more. Returns 409 if it was accepted; remove the member instead.',
  auth: { needs: 'owner' },
  audit: {
    action: 'invitation.revoked',
    before: async ({ caller, deps, path }) => {
      const invitation = await deps.invitations.find(path.invitation_id);
      const isOwn = invitation?.organizationId === caller.organizationId;
      return { id: path.invitation_id, name: isOwn ? invitation.email : null };
    },
  },
  errorCodes: ['conflict'],
  uses: { invitations: invitationsWrite },
  status: 204,
  handle: async ({ path, caller, deps }) => {
    await revoke(deps.invitations, caller.organizationId, path.invitation_id);
    return undefined;
  },
});

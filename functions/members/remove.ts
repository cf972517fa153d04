import { credentialsWrite } from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { invitationsWrite, membersWrite, removeMember as letGo } from '../../shared/organizations/index.ts';

export const removeMember = endpoint({
  id: 'remove-member',
  method: 'DELETE',
  path: '/v1/organization/members/{user_id}',
  tag: 'Organizations',
  summary: 'Remove a member',
  description:
    'Their sessions lose the organization at once, and the keys and OAuth clients that they created are revoked. Owners may remove themselves, but not the last one: 409.',
  auth: { needs: 'owner' },
  refuses: ['conflict'],
  uses: { members: membersWrite, invitations: invitationsWrite, credentials: credentialsWrite },
  status: 204,
  handle: async ({ path, caller, deps, clock }) => {
    const { organizationId } = caller;
    // Authentication refuses them since the removal; revoked, they stay refused when the user becomes a member again.
    const revokeCredentials = () =>
      deps.credentials.revokeCreatedBy(organizationId, path.user_id, clock.now().toISOString());
    try {
      await letGo(deps, organizationId, path.user_id);
    } catch (error) {
      // An earlier run may have removed the member and stopped before this.
      if (error instanceof AppError && error.code === 'not_found') await revokeCredentials();
      throw error;
    }
    await revokeCredentials();
    return undefined;
  },
});

import { credentialsWrite } from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { invitationsWrite, membersWrite, removeMember as remove } from '../../shared/organizations/index.ts';

export const removeMember = endpoint({
  id: 'remove-member',
  method: 'DELETE',
  path: '/v1/organization/members/{user_id}',
  tag: 'Organizations',
  summary: 'Remove a member',
  description:
    'The sessions of the user lose access to the organization, and the API keys and OAuth clients that they created are revoked. An owner can remove themselves. Returns 409 for the last owner.',
  auth: { needs: 'owner' },
  audit: {
    action: 'member.removed',
    before: async ({ caller, deps, path }) => {
      const members = await deps.members.list(caller.organizationId);
      const member = members.find(({ userId }) => userId === path.user_id);
      return { id: path.user_id, name: member?.email ?? null };
    },
  },
  errorCodes: ['conflict'],
  uses: { members: membersWrite, invitations: invitationsWrite, credentials: credentialsWrite },
  status: 204,
  handle: async ({ path, caller, deps, clock }) => {
    const { organizationId } = caller;
    // Authentication already refuses these credentials. The revocation lasts if the user becomes a member again.
    const revokeCredentials = () =>
      deps.credentials.revokeCreatedBy(organizationId, path.user_id, clock.now().toISOString());
    try {
      await remove(deps, organizationId, path.user_id);
    } catch (error) {
      // An earlier run may have removed the member and died before the revocation.
      if (error instanceof AppError && error.code === 'not_found') await revokeCredentials();
      throw error;
    }
    await revokeCredentials();
    return undefined;
  },
});

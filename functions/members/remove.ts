import { endpoint } from '../../shared/http/endpoint.ts';
import { invitationsWrite, membersWrite, removeMember as letGo } from '../../shared/organizations/index.ts';

export const removeMember = endpoint({
  id: 'remove-member',
  method: 'DELETE',
  path: '/v1/organization/members/{user_id}',
  tag: 'Organizations',
  summary: 'Remove a member',
  description:
    'Their sessions lose the organization at once. Keys and clients that they made belong to the organization and stay. Owners may remove themselves, but not the last one: 409.',
  auth: { needs: 'owner' },
  refuses: ['conflict'],
  uses: { members: membersWrite, invitations: invitationsWrite },
  status: 204,
  handle: async ({ path, caller, deps }) => {
    await letGo(deps, caller.organizationId, path.user_id);
    return undefined;
  },
});

import { endpoint } from '../../shared/http/endpoint.ts';
import { membersWrite, MemberUpdate, OrganizationMember, toMember } from '../../shared/organizations/index.ts';

export const updateMember = endpoint({
  id: 'update-member',
  method: 'PATCH',
  path: '/v1/organization/members/{user_id}',
  tag: 'Organizations',
  summary: 'Update the role of a member',
  description: 'Takes effect at once, also for open sessions. Returns 409 if the last owner would become a member.',
  auth: { needs: 'owner' },
  audit: {
    action: 'member.updated',
    before: ({ path }) => ({ id: path.user_id }),
    after: ({ email }) => ({ name: email }),
    details: ['role'],
  },
  errorCodes: ['conflict'],
  uses: { members: membersWrite },
  body: MemberUpdate,
  status: 200,
  response: OrganizationMember,
  handle: async ({ path, body, caller, deps }) =>
    toMember(await deps.members.changeRole(caller.organizationId, path.user_id, body.role)),
});

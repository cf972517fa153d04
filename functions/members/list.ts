import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, paginate, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';
import { membersRead, OrganizationMember, toMember } from '../../shared/organizations/index.ts';

export const listMembers = endpoint({
  id: 'list-members',
  method: 'GET',
  path: '/v1/organization/members',
  tag: 'Organizations',
  summary: 'List members',
  description:
    'Lists the members of the organization, including owners, oldest membership first. A credential that is restricted to indexes gets an empty list.',
  auth: { needs: 'read', refusesApplications: true },
  uses: { members: membersRead },
  query: pageQueryOf('usr', 'by time'),
  status: 200,
  response: z.array(OrganizationMember),
  handle: async ({ caller, deps, query }) => {
    const members = caller.indexIds === null ? await deps.members.list(caller.organizationId) : [];
    const { items, next } = paginate(members, ({ joinedAt, userId }) => `${joinedAt} ${userId}`, toPageRequest(query));
    return { body: items.map(toMember), headers: nextCursorHeader(next) };
  },
});

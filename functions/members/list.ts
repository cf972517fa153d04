import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursor, pageOf, pagesOf, toPage } from '../../shared/http/page.ts';
import { membersRead, OrganizationMember, toMember } from '../../shared/organizations/index.ts';

export const listMembers = endpoint({
  id: 'list-members',
  method: 'GET',
  path: '/v1/organization/members',
  tag: 'Organizations',
  summary: 'List members',
  description:
    'The people of the organization, owners included, oldest membership first. A credential that is restricted to indexes finds none.',
  auth: { needs: 'read' },
  uses: { members: membersRead },
  query: pagesOf('usr', 'by time'),
  status: 200,
  response: z.array(OrganizationMember),
  handle: async ({ caller, deps, query }) => {
    const members = caller.indexIds === null ? await deps.members.list(caller.organizationId) : [];
    const { items, next } = pageOf(members, ({ joinedAt, userId }) => `${joinedAt} ${userId}`, toPage(query));
    return { body: items.map(toMember), headers: nextCursor(next) };
  },
});

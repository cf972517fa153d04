import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, paginate, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';
import { organizationsRead, OrganizationWorkspace, toWorkspace } from '../../shared/organizations/index.ts';

export const listOrganizations = endpoint({
  id: 'list-organizations',
  method: 'GET',
  path: '/v1/organizations',
  tag: 'Organizations',
  summary: 'List organizations',
  description:
    'Lists the organizations of the user of a session, oldest membership first. An API key or access token gets its own organization with the role `member`.',
  auth: { needs: 'read' },
  uses: { organizations: organizationsRead },
  query: pageQueryOf('org', 'by time'),
  status: 200,
  response: z.array(OrganizationWorkspace),
  handle: async ({ caller, deps, query }) => {
    if (caller.kind !== 'session') {
      const own = await deps.organizations.get(caller.organizationId);
      return own === null ? [] : [toWorkspace(own, 'member')];
    }
    const memberships = await deps.organizations.membershipsOf(caller.subjectId);
    const { items, next } = paginate(
      memberships,
      ({ joinedAt, organizationId }) => `${joinedAt} ${organizationId}`,
      toPageRequest(query),
    );
    return {
      body: items.map(({ organization, role }) => toWorkspace(organization, role)),
      headers: nextCursorHeader(next),
    };
  },
});

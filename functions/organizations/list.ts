import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursor, pageOf, pagesOf, toPage } from '../../shared/http/page.ts';
import { organizationsRead, OrganizationWorkspace, toWorkspace } from '../../shared/organizations/index.ts';

export const listOrganizations = endpoint({
  id: 'list-organizations',
  method: 'GET',
  path: '/v1/organizations',
  tag: 'Organizations',
  summary: 'List organizations',
  description:
    'The organizations that the user of a session belongs to, oldest membership first. A key or access token sees its own organization, with the role `member`.',
  auth: { needs: 'read' },
  uses: { organizations: organizationsRead },
  query: pagesOf('org', 'by time'),
  status: 200,
  response: z.array(OrganizationWorkspace),
  handle: async ({ caller, deps, query }) => {
    if (caller.kind !== 'session') {
      const own = await deps.organizations.get(caller.organizationId);
      return own === null ? [] : [toWorkspace(own, 'member')];
    }
    const memberships = await deps.organizations.membershipsOf(caller.subjectId);
    const { items, next } = pageOf(
      memberships,
      ({ joinedAt, organizationId }) => `${joinedAt} ${organizationId}`,
      toPage(query),
    );
    return {
      body: items.map(({ organization, role }) => toWorkspace(organization, role)),
      headers: nextCursor(next),
    };
  },
});

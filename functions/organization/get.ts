import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/kernel/errors.ts';
import { OrganizationDetail, organizationsRead, toDetail } from '../../shared/organizations/index.ts';

export const getOrganization = endpoint({
  id: 'get-organization',
  method: 'GET',
  path: '/v1/organization',
  tag: 'Organizations',
  summary: 'Get the organization',
  description:
    'The organization that the request acts for, with the limits, features and rate limits of its plan. A key or token sees the role `member`.',
  auth: { needs: 'read' },
  refuses: ['not_found'],
  uses: { organizations: organizationsRead },
  status: 200,
  response: OrganizationDetail,
  handle: async ({ caller, deps }) => {
    const organization = await deps.organizations.get(caller.organizationId);
    if (organization === null) throw notFound('Organization');
    return toDetail(organization, caller.role ?? 'member');
  },
});

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
    'Returns the organization of the request with the limits, features and rate limits of its plan. The role is `member` for an API key or access token.',
  auth: { needs: 'read' },
  errorCodes: ['not_found'],
  uses: { organizations: organizationsRead },
  status: 200,
  response: OrganizationDetail,
  handle: async ({ caller, deps }) => {
    const organization = await deps.organizations.get(caller.organizationId);
    if (organization === null) throw notFound('Organization');
    return toDetail(organization, caller.role ?? 'member');
  },
});

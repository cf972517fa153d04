import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/kernel/errors.ts';
import {
  OrganizationDetail,
  organizationsWrite,
  OrganizationUpdate,
  toDetail,
} from '../../shared/organizations/index.ts';
import { spendingLimits } from '../../shared/usage/index.ts';

export const updateOrganization = endpoint({
  id: 'update-organization',
  method: 'PATCH',
  path: '/v1/organization',
  tag: 'Organizations',
  summary: 'Change the organization',
  description: 'Changes the name and the spending limit. Absent fields stay.',
  auth: { needs: 'owner' },
  audit: {
    action: 'organization.updated',
    before: ({ caller, body }) => ({ id: caller.organizationId, name: body.organization_name }),
    details: ['organization_name', 'spending_limit_usd'],
  },
  errorCodes: ['not_found'],
  uses: { organizations: organizationsWrite, spending: spendingLimits },
  body: OrganizationUpdate,
  status: 200,
  response: OrganizationDetail,
  handle: async ({ caller, deps, body: { organization_name: name, spending_limit_usd: limit } }) => {
    const { organizationId } = caller;
    // The limit comes first: the record only says that there is one.
    if (limit !== undefined) await deps.spending.set(organizationId, limit);
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(limit === undefined ? {} : { spendingLimitUsd: limit }),
    };
    const organization = await deps.organizations.update(organizationId, changes);
    if (organization === null) throw notFound('Organization');
    return toDetail(organization, caller.role ?? 'member');
  },
});

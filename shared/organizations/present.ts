import type * as z from 'zod';
import { plans } from '../kernel/plans.ts';
import type { Organization, Role } from './repository.ts';
import type { OrganizationDetail, OrganizationWorkspace } from './schemas.ts';

/** An organization as one of its people sees it in a list. */
export const toWorkspace = (organization: Organization, role: Role): z.input<typeof OrganizationWorkspace> => ({
  organization_id: organization.id,
  organization_name: organization.name,
  role,
  subscription_status: organization.subscriptionStatus,
  onboarded: organization.onboarded,
  plan: organization.plan,
});

/** An organization with the terms of its plan. */
export const toDetail = (organization: Organization, role: Role): z.input<typeof OrganizationDetail> => {
  const { limits, features, rateLimits } = plans[organization.plan];
  return {
    ...toWorkspace(organization, role),
    cancel_at_period_end: organization.cancelAtPeriodEnd,
    current_period_end: organization.currentPeriodEnd,
    limits: { ...limits },
    features: { ...features },
    rate_limits: { ...rateLimits },
  };
};

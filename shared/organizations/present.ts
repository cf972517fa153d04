import type * as z from 'zod';
import { type Plan, plans, type UnitPriceKey, unitPrices } from '../kernel/plans.ts';
import type { Invitation, Member, Organization, Role } from './record.ts';
import type { InvitationResponse, OrganizationDetail, OrganizationMember, OrganizationWorkspace } from './schemas.ts';
import type { PlanResponse } from './plan-schemas.ts';

/** Returns the API representation of an organization in a list. */
export const toWorkspace = (organization: Organization, role: Role): z.input<typeof OrganizationWorkspace> => ({
  organization_id: organization.id,
  organization_name: organization.name,
  role,
  subscription_status: organization.subscriptionStatus,
  onboarded: organization.onboarded,
  plan: organization.plan,
});

const termsOf = (plan: Plan) => {
  const { limits, features, rateLimits } = plans[plan];
  return { limits: { ...limits }, features: { ...features }, rate_limits: { ...rateLimits } };
};

/** Returns the API representation of an organization with the terms of its plan. */
export const toDetail = (organization: Organization, role: Role): z.input<typeof OrganizationDetail> => ({
  ...toWorkspace(organization, role),
  cancel_at_period_end: organization.cancelAtPeriodEnd,
  current_period_end: organization.currentPeriodEnd,
  spending_limit_usd: organization.spendingLimitUsd,
  ...termsOf(organization.plan),
});

/** Returns the API representation of a plan. */
export const toPlan = (plan: Plan): z.input<typeof PlanResponse> => ({
  id: plan,
  name: plans[plan].name,
  price_usd_per_month: plans[plan].priceUsdPerMonth,
  ...termsOf(plan),
  unit_prices: Object.fromEntries(Object.entries(unitPrices).map(([key, { usd }]) => [key, usd])) as Record<
    UnitPriceKey,
    number
  >,
});

export const toMember = ({ userId, role, joinedAt, email }: Member): z.input<typeof OrganizationMember> => ({
  user_id: userId,
  role,
  joined_at: joinedAt,
  email,
});

export const toInvitation = (invitation: Invitation): z.input<typeof InvitationResponse> => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  expires_at: invitation.expiresAt,
  accepted_at: invitation.acceptedAt,
  created_at: invitation.createdAt,
});

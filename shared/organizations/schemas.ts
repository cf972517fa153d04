import * as z from 'zod';
import { planIds } from '../kernel/plans.ts';

const RoleName = z.enum(['owner', 'member']);

export const OrganizationWorkspace = z
  .object({
    organization_id: z.string(),
    organization_name: z.string(),
    role: RoleName,
    subscription_status: z.string(),
    onboarded: z.boolean(),
    plan: z.enum(planIds),
  })
  .meta({ id: 'OrganizationWorkspace' });

export const OrganizationDetail = OrganizationWorkspace.extend({
  cancel_at_period_end: z.boolean(),
  current_period_end: z.iso.datetime().nullable(),
  limits: z.record(z.string(), z.number().int()),
  features: z.record(z.string(), z.boolean()),
  rate_limits: z.record(z.string(), z.number().int()),
}).meta({ id: 'OrganizationDetail' });

const InvitationResponse = z
  .object({
    id: z.string(),
    email: z.string(),
    role: RoleName,
    expires_at: z.iso.datetime(),
    accepted_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'InvitationResponse' });

export const BootstrapResponse = z
  .object({
    user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
    session_token: z.string(),
    expires_at: z.iso.datetime(),
    organizations: z.array(OrganizationWorkspace),
    pending_invitations: z.array(InvitationResponse.extend({ organization_name: z.string() })),
  })
  .meta({ id: 'BootstrapResponse' });

import * as z from 'zod';
import { EmailAddress } from '../http/email-address.ts';
import { exampleId, exampleTime } from '../http/examples.ts';
import { planIds, plans, unitPrices, type UnitPriceKey } from '../kernel/plans.ts';

const RoleName = z.enum(['owner', 'member']);

const limitsText = 'What there may be at most. Bytes and credits are whole numbers as well.';
const featuresText = 'What the plan includes.';
const ratesText = 'Requests per minute and organization.';

const later = '2026-02-02T09:30:00.000Z';

const workspaceExample = {
  organization_id: exampleId('org'),
  organization_name: 'Acme',
  role: 'owner',
  subscription_status: 'active',
  onboarded: true,
  plan: 'developer',
} as const;

const { limits, features, rateLimits } = plans.developer;

const termsExample = { limits, features, rate_limits: rateLimits };

const invitationExample = {
  id: exampleId('inv'),
  email: 'ada@example.com',
  role: 'member',
  expires_at: later,
  accepted_at: null,
  created_at: exampleTime,
} as const;

export const OrganizationWorkspace = z
  .object({
    organization_id: z.string(),
    organization_name: z.string(),
    role: RoleName.describe('Of the user; for a key or an access token `member`.'),
    subscription_status: z.string(),
    onboarded: z.boolean().default(false),
    plan: z.enum(planIds).default('developer'),
  })
  .meta({ id: 'OrganizationWorkspace', examples: [workspaceExample] });

export const OrganizationDetail = OrganizationWorkspace.extend({
  cancel_at_period_end: z.boolean(),
  current_period_end: z.iso.datetime().nullable(),
  limits: z.record(z.string(), z.number().int()).describe(limitsText),
  features: z.record(z.string(), z.boolean()).describe(featuresText),
  rate_limits: z.record(z.string(), z.number().int()).describe(ratesText),
}).meta({
  id: 'OrganizationDetail',
  examples: [{ ...workspaceExample, cancel_at_period_end: false, current_period_end: null, ...termsExample }],
});

const UnitPrices = z
  .object(
    Object.fromEntries(Object.entries(unitPrices).map(([key, { unit }]) => [key, z.number().describe(unit)])) as Record<
      UnitPriceKey,
      z.ZodNumber
    >,
  )
  .describe('USD per unit, from which usage is estimated.');

export const PlanResponse = z
  .object({
    id: z.enum(planIds),
    name: z.string(),
    price_usd_per_month: z.number().nullable().describe('Null: on request.'),
    limits: z.record(z.string(), z.number().int()).describe(limitsText),
    features: z.record(z.string(), z.boolean()).describe(featuresText),
    rate_limits: z.record(z.string(), z.number().int()).describe(ratesText),
    unit_prices: UnitPrices,
  })
  .meta({
    id: 'PlanResponse',
    examples: [
      {
        id: 'developer',
        name: plans.developer.name,
        price_usd_per_month: plans.developer.priceUsdPerMonth,
        ...termsExample,
        unit_prices: Object.fromEntries(Object.entries(unitPrices).map(([key, { usd }]) => [key, usd])),
      },
    ],
  });

const Answered = z.string().min(1).max(255);

export const OnboardingComplete = z
  .object({
    organization_name: Answered,
    use_case: z.string().min(1).max(2000),
    expected_vectors: Answered.describe('A number or a range in words, such as `1M-10M`.'),
    default_region: z
      .string()
      .optional()
      .describe(
        'Where indexes are made that name no region: one of `GET /v1/regions`. Omitted where us-east-1 is none of them, it is the first.',
      )
      .meta({ jsonSchema: { type: 'string', default: 'us-east-1' } }),
  })
  .meta({
    id: 'OnboardingComplete',
    examples: [
      {
        organization_name: 'Acme',
        use_case: 'Search in manuals',
        expected_vectors: '1M-10M',
        default_region: 'us-east-1',
      },
    ],
  });

export const OrganizationMember = z
  .object({
    user_id: z.string(),
    role: RoleName,
    joined_at: z.iso.datetime(),
    email: z.string().nullable().optional(),
  })
  .meta({
    id: 'OrganizationMember',
    examples: [{ user_id: exampleId('usr'), role: 'owner', joined_at: exampleTime, email: 'ada@example.com' }],
  });

export const MemberUpdate = z
  .strictObject({ role: RoleName })
  .meta({ id: 'MemberUpdate', examples: [{ role: 'owner' }] });

export const InvitationCreate = z
  .object({
    email: EmailAddress.describe('In any script. Capital and small letters are the same.'),
    role: RoleName.default('member'),
  })
  .meta({ id: 'InvitationCreate', examples: [{ email: 'ada@example.com', role: 'member' }] });

export const InvitationResponse = z
  .object({
    id: z.string(),
    email: z.string(),
    role: RoleName,
    expires_at: z.iso.datetime(),
    accepted_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'InvitationResponse', examples: [invitationExample] });

export const InvitationAccept = z
  .object({ invitation_id: z.string().min(1).max(100) })
  .meta({ id: 'InvitationAccept', examples: [{ invitation_id: exampleId('inv') }] });

export const BillingActionResponse = z
  .object({
    status: z.string().describe('`accepted`.'),
    organization_id: z.string().describe('The organization that the user belongs to now.'),
    role: RoleName,
  })
  .meta({
    id: 'BillingActionResponse',
    examples: [{ status: 'accepted', organization_id: exampleId('org'), role: 'member' }],
  });

export const BootstrapResponse = z
  .object({
    user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
    session_token: z.string(),
    expires_at: z.iso.datetime(),
    organizations: z.array(OrganizationWorkspace),
    pending_invitations: z.array(InvitationResponse.extend({ organization_name: z.string() })),
  })
  .meta({
    id: 'BootstrapResponse',
    examples: [
      {
        user: { id: exampleId('usr'), email: 'ada@example.com', name: 'Ada' },
        session_token: `svc_sess_${'x'.repeat(49)}`,
        expires_at: '2026-01-26T21:30:00.000Z',
        organizations: [workspaceExample],
        pending_invitations: [{ ...invitationExample, organization_name: 'Example Corp' }],
      },
    ],
  });

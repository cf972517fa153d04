import * as z from 'zod';
import { EmailAddress } from '../http/email-address.ts';
import { exampleId, exampleTime } from '../http/examples.ts';
import { PlanName, planTerms, termsExample } from './plan-schemas.ts';

const RoleName = z.enum(['owner', 'member']).meta({
  id: 'OrganizationRole',
  description: '`member`: reads everything and changes data. `owner`: also manages members, API keys and webhooks.',
});

const later = '2026-02-02T09:30:00.000Z';

const workspaceExample = {
  organization_id: exampleId('org'),
  organization_name: 'Acme',
  role: 'owner',
  subscription_status: 'active',
  onboarded: true,
  plan: 'developer',
} as const;

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
    organization_id: z.string().describe('Id of the organization.'),
    organization_name: z.string().describe('Name of the organization.'),
    role: RoleName.describe('Role of the user; `member` for an API key or access token.'),
    subscription_status: z.string().describe('State of the subscription, such as `active`.'),
    onboarded: z.boolean().default(false).describe('Whether onboarding is complete.'),
    plan: PlanName.default('developer').describe('Plan of the organization.'),
  })
  .meta({
    id: 'OrganizationWorkspace',
    description: 'An organization in a list.',
    examples: [workspaceExample],
  });

export const OrganizationDetail = OrganizationWorkspace.extend({
  cancel_at_period_end: z.boolean().describe('Whether the subscription ends with the current period.'),
  current_period_end: z.iso.datetime().nullable().describe('End of the current period; null if there is none.'),
  spending_limit_usd: z.number().nullable().describe('Spending limit by calendar month in USD; null if there is none.'),
  ...planTerms,
}).meta({
  id: 'OrganizationDetail',
  description: 'An organization with the terms of its plan.',
  examples: [
    {
      ...workspaceExample,
      cancel_at_period_end: false,
      current_period_end: null,
      spending_limit_usd: null,
      ...termsExample,
    },
  ],
});

const Answered = z.string().min(1).max(255);

export const OrganizationUpdate = z
  .strictObject({
    organization_name: Answered.optional().describe('Name of the organization.'),
    spending_limit_usd: z
      .number()
      .min(0.01)
      .max(1e9)
      .nullable()
      .optional()
      .describe(
        'Estimated cost of a calendar month in UTC from which searches, writes of rows and new file jobs are a 402, those of crawls and connectors too. It is added up once a minute. Storage goes on. Null for no limit.',
      ),
  })
  .meta({
    id: 'OrganizationUpdate',
    description: 'Changes of an organization. Absent fields stay.',
    examples: [{ spending_limit_usd: 200 }],
  });

export const OnboardingComplete = z
  .object({
    organization_name: Answered.describe('Name of the organization.'),
    use_case: z.string().min(1).max(2000).describe('Use case of the organization.'),
    expected_vectors: Answered.describe('Expected number of vectors as text, such as `1M-10M`.'),
    default_region: z
      .string()
      .optional()
      .describe(
        'Region of indexes that are created without one: one of `GET /v1/regions`. If absent: us-east-1, or the first region if us-east-1 is not available.',
      )
      .meta({ jsonSchema: { type: 'string', default: 'us-east-1' } }),
  })
  .meta({
    id: 'OnboardingComplete',
    description: 'Onboarding of an organization.',
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
    user_id: z.string().describe('Id of the user.'),
    role: RoleName.describe('Role of the user in the organization.'),
    joined_at: z.iso.datetime().describe('When the user joined.'),
    email: z.string().nullable().optional().describe('E-mail address of the user; null if unknown.'),
  })
  .meta({
    id: 'OrganizationMember',
    description: 'A user of an organization.',
    examples: [{ user_id: exampleId('usr'), role: 'owner', joined_at: exampleTime, email: 'ada@example.com' }],
  });

export const MemberUpdate = z
  .strictObject({ role: RoleName.describe('New role of the member.') })
  .meta({ id: 'MemberUpdate', description: 'A change of a member.', examples: [{ role: 'owner' }] });

export const InvitationCreate = z
  .object({
    email: EmailAddress.describe('E-mail address in any script. It is not case-sensitive.'),
    role: RoleName.default('member').describe('Role of the invited person.'),
  })
  .meta({
    id: 'InvitationCreate',
    description: 'A person to invite.',
    examples: [{ email: 'ada@example.com', role: 'member' }],
  });

export const InvitationResponse = z
  .object({
    id: z.string().describe('Id of the invitation.'),
    email: z.string().describe('Invited e-mail address.'),
    role: RoleName.describe('Role of the invited person.'),
    expires_at: z.iso.datetime().describe('When the invitation expires.'),
    accepted_at: z.iso.datetime().nullable().describe('When the invitation was accepted; null if it was not.'),
    created_at: z.iso.datetime().describe('When the invitation was created.'),
  })
  .meta({ id: 'InvitationResponse', description: 'An invitation to an organization.', examples: [invitationExample] });

export const InvitationAccept = z
  .object({ invitation_id: z.string().min(1).max(100).describe('Id of the invitation.') })
  .meta({
    id: 'InvitationAccept',
    description: 'The invitation to accept.',
    examples: [{ invitation_id: exampleId('inv') }],
  });

export const BillingActionResponse = z
  .object({
    status: z.string().describe('Always `accepted`.'),
    organization_id: z.string().describe('Id of the organization that the user joined.'),
    role: RoleName.describe('Role of the user in the organization.'),
  })
  .meta({
    id: 'BillingActionResponse',
    description: 'Response to the acceptance of an invitation.',
    examples: [{ status: 'accepted', organization_id: exampleId('org'), role: 'member' }],
  });

export const BootstrapResponse = z
  .object({
    user: z
      .object({
        id: z.string().describe('Id of the user.'),
        email: z.string().describe('Verified e-mail address.'),
        name: z.string().describe('Name from the identity provider.'),
      })
      .meta({ id: 'User', description: 'A user.' })
      .describe('The user of the session.'),
    session_token: z.string().describe('Bearer value of the session, returned only once.'),
    expires_at: z.iso.datetime().describe('When the session expires.'),
    organizations: z.array(OrganizationWorkspace).describe('Organizations of the user, oldest membership first.'),
    pending_invitations: z
      .array(
        InvitationResponse.extend({ organization_name: z.string().describe('Name of the organization.') }).meta({
          id: 'PendingInvitation',
          description: 'An invitation that the user can accept.',
        }),
      )
      .describe('Invitations that the user can accept now.'),
  })
  .meta({
    id: 'BootstrapResponse',
    description: 'An open session with its user.',
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

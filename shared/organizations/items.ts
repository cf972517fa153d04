import { flagOf, membersOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';
import type { Plan } from '../kernel/plans.ts';
import type { Identity, Invitation, InvitationState, Organization, Role } from './record.ts';

/*
 * The table of organizations. Authoritative items are ORGANIZATION (with the sets of its members), INVITE# (one for each
 * e-mail address and organization) and IDENTITY. The other items are lookups or add display data. They are written before
 * the authoritative item, and readers skip those without one.
 */

export const organizationKey = (organizationId: string) => ({ pk: `ORG#${organizationId}`, sk: 'ORGANIZATION' });
export const memberKey = (organizationId: string, userId: string) => ({
  pk: `ORG#${organizationId}`,
  sk: `MEMBER#${userId}`,
});
export const membershipKey = (organizationId: string, userId: string) => ({
  pk: `USER#${userId}`,
  sk: `ORG#${organizationId}`,
});
export const identityKey = ({ issuer, subject }: Identity) => ({
  pk: `IDENTITY#${issuer}#${subject}`,
  sk: 'IDENTITY',
});
export const invitationKey = (organizationId: string, email: string) => ({
  pk: `ORG#${organizationId}`,
  sk: `INVITE#${email}`,
});
export const invitationIdKey = (invitationId: string) => ({ pk: `INVITATION#${invitationId}`, sk: 'INVITATION' });
export const inviteeKey = (email: string, organizationId: string) => ({
  pk: `EMAIL#${email}`,
  sk: `ORG#${organizationId}`,
});

export const toOrganization = (item: Item): Organization => ({
  id: item['id'] as string,
  name: item['name'] as string,
  plan: item['plan'] as Plan,
  onboarded: item['onboarded'] as boolean,
  subscriptionStatus: item['subscription_status'] as string,
  defaultRegion: textOf(item, 'default_region'),
  spendingLimitUsd: (item['spending_limit_usd'] as number | undefined) ?? null,
  cancelAtPeriodEnd: flagOf(item, 'cancel_at_period_end'),
  currentPeriodEnd: textOf(item, 'current_period_end'),
  createdAt: item['created_at'] as string,
  members: membersOf(item, 'members'),
  owners: membersOf(item, 'owners'),
  membersRevision: item['members_revision'] as number,
});

export const toInvitation = (item: Item): Invitation => ({
  id: item['id'] as string,
  organizationId: item.pk.slice('ORG#'.length),
  email: item.sk.slice('INVITE#'.length),
  role: item['role'] as Role,
  state: item['state'] as InvitationState,
  createdAt: item['created_at'] as string,
  expiresAt: item['expires_at'] as string,
  acceptedAt: textOf(item, 'accepted_at'),
  acceptedBy: textOf(item, 'accepted_by'),
  acceptedAs: textOf(item, 'accepted_as'),
});

import type { Plan } from '../kernel/plans.ts';

export type Role = 'owner' | 'member';

/** Organization. Only this item decides on members and owners, so one conditional write can change them. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly onboarded: boolean;
  readonly subscriptionStatus: string;
  readonly defaultRegion: string | null;
  /** Estimated cost of a month from which requests that add to it are refused; null for none. */
  readonly spendingLimitUsd: number | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly currentPeriodEnd: string | null;
  readonly createdAt: string;
  /** Ids of the members, including owners. */
  readonly members: ReadonlySet<string>;
  /** Never empty. */
  readonly owners: ReadonlySet<string>;
  /** Grows with every change of `members` or `owners`. */
  readonly membersRevision: number;
}

/** Returns the role of a member. */
export const roleOf = (organization: Organization, userId: string): Role =>
  organization.owners.has(userId) ? 'owner' : 'member';

/** Organization of a user with the role of the user. */
export interface OrganizationAccess {
  readonly organizationId: string;
  readonly organization: Organization;
  readonly role: Role;
}

export interface Membership extends OrganizationAccess {
  readonly joinedAt: string;
}

/** Member of an organization. */
export interface Member {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: string;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** Verified identity from an ID token. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Verified and normalized by `EmailAddress`. */
  readonly email: string;
  readonly name: string;
}

/** State of an invitation. `accepted` is final; `joined`: its user has become a member since. */
export type InvitationState = 'open' | 'accepted' | 'joined' | 'revoked';

/** Latest invitation of one e-mail address to one organization. */
export interface Invitation {
  readonly id: string;
  readonly organizationId: string;
  /** Normalized by `EmailAddress`. */
  readonly email: string;
  readonly role: Role;
  readonly state: InvitationState;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly acceptedAt: string | null;
  /** Id of the user who accepted. */
  readonly acceptedBy: string | null;
  /** Id of the request that accepted, which its repeats share. */
  readonly acceptedAs: string | null;
}

/** Whether an invitation occupies a seat of the plan, because its user may still become a member. */
export const occupiesSeat = ({ state, expiresAt }: Invitation, at: string): boolean =>
  (state === 'open' || state === 'accepted') && expiresAt > at;

/** Whether an invitation can be accepted. */
export const isOpen = ({ state, expiresAt }: Invitation, at: string): boolean => state === 'open' && expiresAt > at;

import type { Plan } from '../kernel/plans.ts';

export type Role = 'owner' | 'member';

/** An organization. Who belongs to it and who owns it is decided here alone, so that one conditional write can tell. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly onboarded: boolean;
  readonly subscriptionStatus: string;
  readonly defaultRegion: string | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly currentPeriodEnd: string | null;
  readonly createdAt: string;
  /** Ids of its people, owners included. */
  readonly members: ReadonlySet<string>;
  /** Never empty. */
  readonly owners: ReadonlySet<string>;
  /** Grows with every change of `members` or `owners`. */
  readonly membersRevision: number;
}

/** The role of somebody who belongs to an organization. */
export const roleOf = (organization: Organization, userId: string): Role =>
  organization.owners.has(userId) ? 'owner' : 'member';

/** A user in one of their organizations. */
export interface Standing {
  readonly organizationId: string;
  readonly organization: Organization;
  readonly role: Role;
}

export interface Membership extends Standing {
  readonly joinedAt: string;
}

/** One of the people of an organization. */
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

/** Who a person is to the identity provider. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Verified, as `EmailAddress` has it. */
  readonly email: string;
  readonly name: string;
}

/** `accepted` is decided and cannot be undone; `joined` says that its user has become a member since. */
export type InvitationState = 'open' | 'accepted' | 'joined' | 'revoked';

/** The latest invitation of one e-mail address to one organization. */
export interface Invitation {
  readonly id: string;
  readonly organizationId: string;
  /** As `EmailAddress` has it. */
  readonly email: string;
  readonly role: Role;
  readonly state: InvitationState;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly acceptedAt: string | null;
  /** The user who accepted. */
  readonly acceptedBy: string | null;
  /** Names the request that accepted, so that its repeats are told from others. */
  readonly acceptedAs: string | null;
  /** The attempt that is still to see whether the plan has a place for it: until then nobody can accept it; else null. */
  readonly attempt: string | null;
}

/** Whether an invitation keeps a place in the plan: its user may still become a member by it. */
export const holdsPlace = ({ state, expiresAt }: Invitation, at: string): boolean =>
  (state === 'open' || state === 'accepted') && expiresAt > at;

/** Whether an invitation can be accepted as soon as it is kept. */
export const isOpen = ({ state, expiresAt }: Invitation, at: string): boolean => state === 'open' && expiresAt > at;

import { capability } from '../kernel/capability.ts';
import { type InvitationReader, type InvitationWriter, openInvitations } from './invitations.ts';
import { type MemberReader, type MemberWriter, openMembers } from './members.ts';
import { openOrganizations, type OrganizationReader, type OrganizationWriter } from './repository.ts';

const reading = ['organizations.read'] as const;
const writing = ['organizations.read', 'organizations.write'] as const;

export const organizationsRead = capability<OrganizationReader>(reading, openOrganizations);
export const organizationsWrite = capability<OrganizationWriter>(writing, openOrganizations);
export const membersRead = capability<MemberReader>(reading, openMembers);
export const membersWrite = capability<MemberWriter>(writing, openMembers);
export const invitationsRead = capability<InvitationReader>(reading, openInvitations);
export const invitationsWrite = capability<InvitationWriter>(writing, openInvitations);

export { acceptInvitation } from './accept.ts';
export { invite } from './invite.ts';
export { pendingInvitations } from './pending-invitations.ts';
export { planOf } from './plan-of.ts';
export { toDetail, toInvitation, toMember, toPlan, toWorkspace } from './present.ts';
export type { Identity, Organization, Role } from './record.ts';
export { removeMember } from './remove-member.ts';
export { openOrganizations, type OrganizationReader } from './repository.ts';
export { revokeInvitation } from './revoke-invitation.ts';
export {
  BillingActionResponse,
  BootstrapResponse,
  InvitationAccept,
  InvitationCreate,
  InvitationResponse,
  MemberUpdate,
  OnboardingComplete,
  OrganizationUpdate,
  OrganizationDetail,
  OrganizationMember,
  OrganizationWorkspace,
} from './schemas.ts';
export { PlanResponse } from './plan-schemas.ts';

import type { InvitationReader } from './invitations.ts';
import type { Invitation, Membership } from './record.ts';
import type { OrganizationReader } from './repository.ts';

interface Pending {
  readonly invitation: Invitation;
  readonly organizationName: string;
}

/** Returns the invitations that the user of a verified e-mail address can accept, oldest first. */
export const pendingInvitations = async (
  deps: { readonly organizations: OrganizationReader; readonly invitations: InvitationReader },
  email: string,
  memberships: readonly Membership[],
): Promise<readonly Pending[]> => {
  const own = new Set(memberships.map(({ organizationId }) => organizationId));
  const open = (await deps.invitations.openFor(email)).filter(({ organizationId }) => !own.has(organizationId));
  const named = await Promise.all(
    open.map(async (invitation) => ({
      invitation,
      organizationName: (await deps.organizations.get(invitation.organizationId))?.name ?? '',
    })),
  );
  return named.toSorted((a, b) => a.invitation.createdAt.localeCompare(b.invitation.createdAt));
};

import type { InvitationWriter } from './invitations.ts';
import type { MemberWriter } from './members.ts';

/**
 * Lets a member go. What invitations of theirs are still to be completed is settled before, so that no late repeat of an
 * acceptance brings them back. Throws 404 and 409.
 */
export const removeMember = async (
  { members, invitations }: { readonly members: MemberWriter; readonly invitations: InvitationWriter },
  organizationId: string,
  userId: string,
): Promise<void> => {
  await members.remove(organizationId, userId, async () => {
    const own = (await invitations.list(organizationId)).filter(
      ({ state, acceptedBy }) => state === 'accepted' && acceptedBy === userId,
    );
    await Promise.all(own.map((invitation) => invitations.settle(invitation)));
  });
};

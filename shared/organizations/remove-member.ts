import type { InvitationWriter } from './invitations.ts';
import type { MemberWriter } from './members.ts';

/**
 * Removes a member. Their accepted invitations are completed before, so a late repeat of an acceptance does not make them a
 * member again. Throws 404 and 409.
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
    await Promise.all(own.map((invitation) => invitations.markJoined(invitation)));
  });
};

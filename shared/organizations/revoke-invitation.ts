import { AppError, notFound } from '../kernel/errors.ts';
import type { InvitationWriter } from './invitations.ts';

/** Revokes an open or expired invitation. Throws 404, and 409 for one that was accepted. */
export const revokeInvitation = async (
  invitations: InvitationWriter,
  organizationId: string,
  invitationId: string,
): Promise<void> => {
  for (;;) {
    const invitation = await invitations.find(invitationId);
    if (invitation === null || invitation.organizationId !== organizationId || invitation.state === 'revoked')
      throw notFound('Invitation');
    if (invitation.state !== 'open')
      throw new AppError('conflict', 'This invitation was accepted. Remove the member instead.');
    if (await invitations.revoke(invitation)) return;
  }
};

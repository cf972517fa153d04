import { AppError, notFound } from '../kernel/errors.ts';
import type { InvitationWriter } from './invitations.ts';

/** Revokes an invitation, also one that has expired. Throws 404, and 409 for one that was accepted. */
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
      throw new AppError('conflict', 'This invitation has been accepted: remove the member instead');
    if (await invitations.revoke(invitation)) return;
  }
};

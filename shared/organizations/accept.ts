import type { Creation } from '../http/creation.ts';
import { AppError, notFound } from '../kernel/errors.ts';
import type { InvitationWriter } from './invitations.ts';
import type { MemberWriter } from './members.ts';
import { type Invitation, isOpen } from './record.ts';
import type { OrganizationReader } from './repository.ts';

interface AcceptDeps {
  readonly organizations: OrganizationReader;
  readonly members: MemberWriter;
  readonly invitations: InvitationWriter;
}

/** Who accepts, in which request. */
interface Acceptance {
  readonly userId: string;
  /** The user's verified e-mail address. */
  readonly email: string | null;
  readonly invitationId: string;
  /** Names the request. */
  readonly receipt: string;
  readonly at: string;
}

const used = (): AppError => new AppError('conflict', 'This invitation has been accepted already');

/** Whether `invitation` was accepted by this request, or by an earlier one of its user that got no further. */
const isOwnAcceptance = ({ state, acceptedBy, acceptedAs }: Invitation, { userId, receipt }: Acceptance): boolean =>
  acceptedBy === userId && (state === 'accepted' || acceptedAs === receipt);

/** The invitation, accepted by the user. Throws 404 for one that is not theirs and 409 for one that has ended. */
const decide = async (deps: AcceptDeps, acceptance: Acceptance): Promise<Invitation> => {
  for (;;) {
    const invitation = await deps.invitations.find(acceptance.invitationId);
    if (invitation === null || invitation.state === 'revoked') throw notFound('Invitation');
    // It may still be taken back.
    if (invitation.attempt !== null) throw notFound('Invitation');
    // Its user may go by another address since.
    if (isOwnAcceptance(invitation, acceptance)) return invitation;
    if (invitation.email !== acceptance.email) throw notFound('Invitation');
    if (invitation.state !== 'open') throw used();
    if (!isOpen(invitation, acceptance.at)) throw new AppError('conflict', 'This invitation has expired');
    if ((await deps.organizations.membership(acceptance.userId, invitation.organizationId)) !== null)
      throw new AppError('conflict', 'You are a member of this organization already');
    const accepted = await deps.invitations.accept(invitation, {
      userId: acceptance.userId,
      as: acceptance.receipt,
      at: acceptance.at,
    });
    if (accepted !== null) return accepted;
  }
};

/**
 * Makes a user a member of the organization that has invited them, once: the invitation is accepted first, which is
 * decided for good, and whatever is missing then is made good by a repeat. Throws 404 and 409.
 */
export const acceptInvitation = async (
  deps: AcceptDeps,
  user: { readonly id: string; readonly email: string | null },
  invitationId: string,
  creation: Creation,
): Promise<Invitation> => {
  const invitation = await decide(deps, {
    userId: user.id,
    email: user.email,
    invitationId,
    receipt: creation.id('rcp'),
    at: creation.at.toISOString(),
  });
  if (invitation.state === 'joined') return invitation;
  const { organizationId, role, acceptedAt } = invitation;
  const member = {
    userId: user.id,
    email: user.email ?? invitation.email,
    role,
    joinedAt: acceptedAt ?? invitation.createdAt,
  };
  const joined = await deps.members.join(organizationId, member, async () => {
    const now = await deps.invitations.find(invitation.id);
    return now?.state === 'accepted';
  });
  if (!joined) throw used();
  await deps.invitations.settle(invitation);
  return invitation;
};

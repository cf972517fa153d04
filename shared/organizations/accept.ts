import type { IdempotencyContext } from '../http/idempotency.ts';
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

/** Acceptance of an invitation by a user in a request. */
interface Acceptance {
  readonly userId: string;
  /** The user's verified e-mail address. */
  readonly email: string | null;
  readonly invitationId: string;
  /** Id of the request; the same for its repeats. */
  readonly receipt: string;
  readonly at: string;
}

const used = (): AppError => new AppError('conflict', 'This invitation was accepted already');

/** Whether an invitation was accepted by this request, or by an earlier request of the user that did not complete. */
const isSameAcceptance = ({ state, acceptedBy, acceptedAs }: Invitation, { userId, receipt }: Acceptance): boolean =>
  acceptedBy === userId && (state === 'accepted' || acceptedAs === receipt);

/** Accepts an invitation for a user. Throws 404 for an invitation of another user and 409 for one that has ended. */
const markAccepted = async (deps: AcceptDeps, acceptance: Acceptance): Promise<Invitation> => {
  for (;;) {
    const invitation = await deps.invitations.find(acceptance.invitationId);
    if (invitation === null || invitation.state === 'revoked') throw notFound('Invitation');
    // Checked before the address, which may have changed since the acceptance.
    if (isSameAcceptance(invitation, acceptance)) return invitation;
    if (invitation.email !== acceptance.email) throw notFound('Invitation');
    if (invitation.state !== 'open') throw used();
    if (!isOpen(invitation, acceptance.at)) throw new AppError('conflict', 'This invitation has expired');
    if ((await deps.organizations.membership(acceptance.userId, invitation.organizationId)) !== null)
      throw new AppError('conflict', 'You are already a member of this organization');
    const accepted = await deps.invitations.accept(invitation, {
      userId: acceptance.userId,
      as: acceptance.receipt,
      at: acceptance.at,
    });
    if (accepted !== null) return accepted;
  }
};

/**
 * Makes a user a member of the organization that invited them. First the invitation is accepted, which cannot be undone. A
 * repeat completes the rest. Throws 404 and 409.
 */
export const acceptInvitation = async (
  deps: AcceptDeps,
  user: { readonly id: string; readonly email: string | null },
  invitationId: string,
  idempotency: IdempotencyContext,
): Promise<Invitation> => {
  const invitation = await markAccepted(deps, {
    userId: user.id,
    email: user.email,
    invitationId,
    receipt: idempotency.id('rcp'),
    at: idempotency.at.toISOString(),
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
  await deps.invitations.markJoined(invitation);
  return invitation;
};

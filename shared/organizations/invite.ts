import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { laterBy } from '../kernel/clock.ts';
import { dayMs } from '../kernel/durations.ts';
import { AppError } from '../kernel/errors.ts';
import { addWithinPlanLimit } from '../usage/index.ts';
import type { InvitationWriter } from './invitations.ts';
import type { MemberReader } from './members.ts';
import { occupiesSeat, type Invitation, isOpen, type Role } from './record.ts';

const lifetimeMs = 7 * dayMs;

interface InviteDeps {
  readonly invitations: InvitationWriter;
  readonly members: MemberReader;
}

const requireNonMember = async ({ members }: InviteDeps, { organizationId, email }: Invitation): Promise<void> => {
  if ((await members.list(organizationId)).some((member) => member.email === email))
    throw new AppError('conflict', 'This person is already a member of the organization');
};

/**
 * Counts the seats of the plan: those of members, and those of invitations whose users are not members yet. Invitations are
 * read first, so a user who joins in the meantime is counted.
 */
const countSeats = async ({ invitations, members }: InviteDeps, organizationId: string, at: string) => {
  const invited = (await invitations.list(organizationId)).filter((invitation) => occupiesSeat(invitation, at));
  const people = await members.list(organizationId);
  // The address of a user may have changed since they accepted.
  const known = new Set(people.flatMap(({ userId, email }) => [userId, email]));
  const isMember = ({ email, acceptedBy }: Invitation) => known.has(email) || known.has(acceptedBy ?? email);
  return people.length + invited.filter((invitation) => !isMember(invitation)).length;
};

/** Adds an invitation in the place of one that has ended. False: a concurrent request was faster. Throws 402. */
const add = (
  deps: InviteDeps,
  { plan }: Principal,
  invitation: Invitation,
  former: Invitation | null,
): Promise<boolean> => {
  const { organizationId, email, id, createdAt } = invitation;
  return addWithinPlanLimit({
    plan,
    limit: 'members',
    has: async () => (await deps.invitations.ofEmail(organizationId, email))?.id === id,
    add: (limit) =>
      deps.invitations.add(invitation, former, { limit, count: () => countSeats(deps, organizationId, createdAt) }),
  });
};

/**
 * Invites an e-mail address for seven days. An open invitation is renewed: it keeps its id and gets the new role and expiry.
 * Throws 402 if the plan has no seat left and 409 for a member.
 */
export const invite = async (
  deps: InviteDeps,
  caller: Principal,
  { email, role }: { readonly email: string; readonly role: Role },
  idempotency: IdempotencyContext,
): Promise<Invitation> => {
  const fresh: Invitation = {
    id: idempotency.id('inv'),
    organizationId: caller.organizationId,
    email,
    role,
    state: 'open',
    createdAt: idempotency.at.toISOString(),
    expiresAt: laterBy(idempotency.at, lifetimeMs).toISOString(),
    acceptedAt: null,
    acceptedBy: null,
    acceptedAs: null,
  };
  for (;;) {
    const existing = await deps.invitations.ofEmail(caller.organizationId, email);
    if (existing?.id === fresh.id) return fresh;
    await requireNonMember(deps, fresh);
    if (existing !== null && isOpen(existing, fresh.createdAt)) {
      const renewed = await deps.invitations.renew(existing, role, fresh.expiresAt);
      if (renewed !== null) return renewed;
    } else if (await add(deps, caller, fresh, existing)) {
      return fresh;
    }
  }
};

import type { Creation } from '../http/creation.ts';
import type { Principal } from '../http/principal.ts';
import { laterBy } from '../kernel/clock.ts';
import { dayMs } from '../kernel/durations.ts';
import { AppError } from '../kernel/errors.ts';
import { countAttempts, undecided } from '../db/tentative.ts';
import { addWithinLimit } from '../usage/index.ts';
import type { InvitationWriter } from './invitations.ts';
import type { MemberReader } from './members.ts';
import { holdsPlace, type Invitation, isOpen, type Role } from './record.ts';

const lifetimeMs = 7 * dayMs;

interface InviteDeps {
  readonly invitations: InvitationWriter;
  readonly members: MemberReader;
}

const requireStranger = async ({ members }: InviteDeps, { organizationId, email }: Invitation): Promise<void> => {
  if ((await members.list(organizationId)).some((member) => member.email === email))
    throw new AppError('conflict', 'This person is a member of the organization already');
};

/**
 * Places of the plan that are taken: those of members, and those of invitations whose users are not among them yet.
 * Invitations are read first, so that nobody is missed who becomes a member meanwhile. One that nobody came to keep is
 * listed like any other until it expires, and counts as kept.
 */
const placesTaken = async ({ invitations, members }: InviteDeps, organizationId: string, at: string) => {
  const invited = (await invitations.list(organizationId)).filter((invitation) => holdsPlace(invitation, at));
  const people = await members.list(organizationId);
  // Whoever has accepted may go by another address since.
  const known = new Set(people.flatMap(({ userId, email }) => [userId, email]));
  const isAmong = ({ email, acceptedBy }: Invitation) => known.has(email) || known.has(acceptedBy ?? email);
  const attempts = invited
    .filter((invitation) => !isAmong(invitation))
    .map(({ attempt, createdAt }) => undecided(attempt, createdAt, new Date(at)));
  return countAttempts([...people.map(() => null), ...attempts]);
};

/** Lets an invitation that an attempt stores stand where the plan has a place for it. Throws 402. */
const addWithinPlan = (
  deps: InviteDeps,
  { plan }: Principal,
  invitation: Invitation,
  add: (attempt: string) => Promise<string | null>,
): Promise<void> =>
  addWithinLimit({
    plan,
    limit: 'members',
    count: () => placesTaken(deps, invitation.organizationId, invitation.createdAt),
    has: async () =>
      (await deps.invitations.ofEmail(invitation.organizationId, invitation.email))?.id === invitation.id,
    add,
    keep: (attempt) => deps.invitations.keep(invitation, attempt),
    undo: (attempt) => deps.invitations.withdraw(invitation, attempt),
  });

/** Adds an invitation in the place of one that has ended; false where somebody was faster. Throws 402. */
const add = async (
  deps: InviteDeps,
  caller: Principal,
  invitation: Invitation,
  former: Invitation | null,
): Promise<boolean> => {
  let added = false;
  await addWithinPlan(deps, caller, invitation, async (attempt) => {
    added = await deps.invitations.add(invitation, former, attempt);
    return added ? attempt : null;
  });
  return added;
};

/** Decides on an invitation that is there already but may still be taken back; false where it has been. Throws 402. */
const settle = async (deps: InviteDeps, caller: Principal, held: Invitation): Promise<boolean> => {
  let tries = 0;
  if (held.attempt !== null)
    await addWithinPlan(deps, caller, held, () => {
      tries += 1;
      return Promise.resolve(tries === 1 ? held.attempt : null);
    });
  return tries < 2;
};

/**
 * Invites an e-mail address for seven days. An invitation that is open already is renewed: it keeps its id and gets the
 * new role and expiry. Throws 402 where the plan has no place left and 409 for a member.
 */
export const invite = async (
  deps: InviteDeps,
  caller: Principal,
  { email, role }: { readonly email: string; readonly role: Role },
  creation: Creation,
): Promise<Invitation> => {
  const fresh: Invitation = {
    id: creation.id('inv'),
    organizationId: caller.organizationId,
    email,
    role,
    state: 'open',
    createdAt: creation.at.toISOString(),
    expiresAt: laterBy(creation.at, lifetimeMs).toISOString(),
    acceptedAt: null,
    acceptedBy: null,
    acceptedAs: null,
    attempt: null,
  };
  for (;;) {
    const held = await deps.invitations.ofEmail(caller.organizationId, email);
    if (held?.id === fresh.id) {
      if (await settle(deps, caller, held)) return fresh;
      continue;
    }
    await requireStranger(deps, fresh);
    if (held !== null && isOpen(held, fresh.createdAt)) {
      if (!(await settle(deps, caller, held))) continue;
      const renewed = await deps.invitations.renew(held, role, fresh.expiresAt);
      if (renewed !== null) return renewed;
    } else if (await add(deps, caller, fresh, held)) {
      return fresh;
    }
  }
};

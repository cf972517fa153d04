import { absent } from '../db/condition.ts';
import { epochSeconds } from '../db/due.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { keepTentative, putTentative, withdrawTentative } from '../db/tentative.ts';
import { laterBy } from '../kernel/clock.ts';
import type { Runtime } from '../kernel/capability.ts';
import { dayMs } from '../kernel/durations.ts';
import { invitationIdKey, invitationKey, inviteeKey, toInvitation } from './items.ts';
import { type Invitation, isOpen, type Role } from './record.ts';

export interface InvitationReader {
  /** In order of e-mail addresses, without those that were revoked. */
  list(organizationId: string): Promise<readonly Invitation[]>;
  /** Open invitations of an e-mail address to all organizations, without those that may still be taken back. */
  openFor(email: string): Promise<readonly Invitation[]>;
}

export interface InvitationWriter extends InvitationReader {
  /** The latest invitation of an e-mail address, in any state. */
  ofEmail(organizationId: string, email: string): Promise<Invitation | null>;
  /** An invitation in any state; null once another has taken its place. */
  find(invitationId: string): Promise<Invitation | null>;
  /**
   * Stores a new invitation in the place of `former`, by an attempt that is still to be kept; false where `former` has
   * changed since it was read.
   */
  add(invitation: Invitation, former: Invitation | null, attempt: string): Promise<boolean>;
  /** Keeps what an attempt stored. True also where it is kept already, false where it has been taken back. */
  keep(invitation: Invitation, attempt: string): Promise<boolean>;
  /** Takes back what an attempt stored: what it took the place of stands again. False where it is kept. */
  withdraw(invitation: Invitation, attempt: string): Promise<boolean>;
  /** The invitation with a new role and expiry; null where it is no longer open. */
  renew(invitation: Invitation, role: Role, expiresAt: string): Promise<Invitation | null>;
  /** `open` → `accepted`; null where it is no longer open. */
  accept(
    invitation: Invitation,
    by: { readonly userId: string; readonly as: string; readonly at: string },
  ): Promise<Invitation | null>;
  /** `accepted` → `joined`, if it is accepted. */
  settle(invitation: Invitation): Promise<void>;
  /** `open` → `revoked`; false where it is no longer open. */
  revoke(invitation: Invitation): Promise<boolean>;
}

/** How long an invitation is remembered once it has expired: longer than any request that speaks of it is repeated. */
const rememberedMs = 30 * dayMs;

const epochOf = (expiresAt: string): number => epochSeconds(laterBy(expiresAt, rememberedMs));

/** Lets an invitation be found by its id and by its e-mail address. */
const announce = async (table: Table, { id, organizationId, email, expiresAt }: Invitation): Promise<void> => {
  const found = { organization_id: organizationId, email, expires_at_epoch: epochOf(expiresAt) };
  await table.put({ ...invitationIdKey(id), ...found });
  await table.put({ ...inviteeKey(email, organizationId), ...found });
};

/** Changes an invitation as long as it is what was read. */
const change = async (
  table: Table,
  { organizationId, email, id, state }: Invitation,
  set: Readonly<Record<string, string | number>>,
): Promise<Invitation | null> => {
  const condition = { id: { eq: id }, state: { eq: state } };
  const item = await table.update(invitationKey(organizationId, email), { set, condition });
  return item === null ? null : toInvitation(item);
};

/** An invitation that is kept, as it lies in the table. */
const toItem = (invitation: Invitation): Item => ({
  ...invitationKey(invitation.organizationId, invitation.email),
  id: invitation.id,
  role: invitation.role,
  state: invitation.state,
  created_at: invitation.createdAt,
  expires_at: invitation.expiresAt,
  expires_at_epoch: epochOf(invitation.expiresAt),
  ...(invitation.acceptedAt === null ? {} : { accepted_at: invitation.acceptedAt }),
  ...(invitation.acceptedBy === null ? {} : { accepted_by: invitation.acceptedBy }),
  ...(invitation.acceptedAs === null ? {} : { accepted_as: invitation.acceptedAs }),
});

const add = async (
  table: Table,
  invitation: Invitation,
  former: Invitation | null,
  attempt: string,
): Promise<boolean> => {
  await announce(table, invitation);
  const condition = former === null ? absent : { id: { eq: former.id }, state: { eq: former.state } };
  // One that nobody came to keep does not come back.
  const kept = former?.attempt === null ? toItem(former) : null;
  return putTentative(table, toItem(invitation), attempt, condition, kept);
};

type Finding = InvitationReader & Pick<InvitationWriter, 'ofEmail' | 'find'>;

const readerOf = (table: Table, runtime: Runtime): Finding => {
  const ofEmail = async (organizationId: string, email: string): Promise<Invitation | null> => {
    const item = await table.get(invitationKey(organizationId, email));
    return item === null ? null : toInvitation(item);
  };
  const openIn = async (item: Item): Promise<readonly Invitation[]> => {
    const found = await ofEmail(item['organization_id'] as string, item['email'] as string);
    const isOffered = found?.attempt === null && isOpen(found, runtime.clock.now().toISOString());
    return isOffered ? [found] : [];
  };
  return {
    ofEmail,
    list: async (organizationId) => {
      const invitations: Invitation[] = [];
      for await (const item of table.all(`ORG#${organizationId}`, { prefix: 'INVITE#' }))
        invitations.push(toInvitation(item));
      return invitations.filter(({ state }) => state !== 'revoked');
    },
    openFor: async (email) => {
      const found: Promise<readonly Invitation[]>[] = [];
      for await (const item of table.all(`EMAIL#${email}`, { prefix: 'ORG#' })) found.push(openIn(item));
      return (await Promise.all(found)).flat();
    },
    find: async (invitationId) => {
      // What no invitation is called may not even fit into a key.
      if (!/^inv_[0-9a-z]{26}$/.test(invitationId)) return null;
      const item = await table.get(invitationIdKey(invitationId));
      if (item === null) return null;
      const found = await ofEmail(item['organization_id'] as string, item['email'] as string);
      return found?.id === invitationId ? found : null;
    },
  };
};

export const openInvitations = (runtime: Runtime): InvitationWriter => {
  const table = openTable(runtime, 'organizations');
  return {
    ...readerOf(table, runtime),
    add: (invitation, former, attempt) => add(table, invitation, former, attempt),
    keep: ({ organizationId, email, id }, attempt) =>
      keepTentative(table, invitationKey(organizationId, email), attempt, (item) => item['id'] === id),
    withdraw: ({ organizationId, email, id }, attempt) =>
      withdrawTentative(table, invitationKey(organizationId, email), attempt, (item) => item['id'] === id),
    renew: async (invitation, role, expiresAt) => {
      await announce(table, { ...invitation, expiresAt });
      return change(table, invitation, { role, expires_at: expiresAt, expires_at_epoch: epochOf(expiresAt) });
    },
    accept: (invitation, { userId, as, at }) =>
      change(table, invitation, { state: 'accepted', accepted_by: userId, accepted_as: as, accepted_at: at }),
    settle: async (invitation) => {
      await change(table, { ...invitation, state: 'accepted' }, { state: 'joined' });
    },
    revoke: async (invitation) => (await change(table, invitation, { state: 'revoked' })) !== null,
  };
};

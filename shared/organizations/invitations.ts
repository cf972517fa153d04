import { absent } from '../db/condition.ts';
import { epochSeconds } from '../db/due.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { type Added, limitedSet } from '../db/limited-set.ts';
import { laterBy } from '../kernel/clock.ts';
import type { Runtime } from '../kernel/capability.ts';
import { dayMs } from '../kernel/durations.ts';
import { invitationIdKey, invitationKey, inviteeKey, toInvitation } from './items.ts';
import { type Invitation, isOpen, type Role } from './record.ts';

export interface InvitationReader {
  /** Returns the invitations by e-mail address, without revoked ones. */
  list(organizationId: string): Promise<readonly Invitation[]>;
  /** Returns the open invitations of an e-mail address to all organizations. */
  openFor(email: string): Promise<readonly Invitation[]>;
}

/** Seats of the plan. */
interface Seats {
  readonly limit: number;
  /** Counts the occupied ones by consistent reads. */
  readonly count: () => Promise<number>;
}

export interface InvitationWriter extends InvitationReader {
  /** Returns the latest invitation of an e-mail address, in any state. */
  ofEmail(organizationId: string, email: string): Promise<Invitation | null>;
  /** Returns an invitation in any state; null if another one has replaced it. */
  find(invitationId: string): Promise<Invitation | null>;
  /**
   * Stores a new invitation in the place of `former`, unless as many seats as the limit are occupied. Returns `exists` if
   * `former` has changed since it was read.
   */
  add(invitation: Invitation, former: Invitation | null, seats: Seats): Promise<Added>;
  /** Returns the invitation with a new role and expiry; null if it is no longer open. */
  renew(invitation: Invitation, role: Role, expiresAt: string): Promise<Invitation | null>;
  /** `open` → `accepted`; null if it is no longer open. */
  accept(
    invitation: Invitation,
    by: { readonly userId: string; readonly as: string; readonly at: string },
  ): Promise<Invitation | null>;
  /** `accepted` → `joined`, if it is accepted. */
  markJoined(invitation: Invitation): Promise<void>;
  /** `open` → `revoked`; false if it is no longer open. */
  revoke(invitation: Invitation): Promise<boolean>;
}

/** Retention of an expired invitation, which exceeds the time in which requests about it are repeated. */
const retentionMs = 30 * dayMs;

const epochOf = (expiresAt: string): number => epochSeconds(laterBy(expiresAt, retentionMs));

/** Returns the items that find an invitation by its id and by its e-mail address. */
const lookupsOf = ({ id, organizationId, email, expiresAt }: Invitation): readonly Item[] => {
  const found = { organization_id: organizationId, email, expires_at_epoch: epochOf(expiresAt) };
  return [
    { ...invitationIdKey(id), ...found },
    { ...inviteeKey(email, organizationId), ...found },
  ];
};

/** Changes an invitation, unless its state has changed since it was read. */
const change = async (
  table: Table,
  { organizationId, email, id, state }: Invitation,
  set: Readonly<Record<string, string | number>>,
): Promise<Invitation | null> => {
  const condition = { id: { eq: id }, state: { eq: state } };
  const item = await table.update(invitationKey(organizationId, email), { set, condition });
  return item === null ? null : toInvitation(item);
};

/** Returns the item of an invitation. */
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

type Reader = InvitationReader & Pick<InvitationWriter, 'ofEmail' | 'find'>;

const readerOf = (table: Table, runtime: Runtime): Reader => {
  const ofEmail = async (organizationId: string, email: string): Promise<Invitation | null> => {
    const item = await table.get(invitationKey(organizationId, email));
    return item === null ? null : toInvitation(item);
  };
  const openIn = async (item: Item): Promise<readonly Invitation[]> => {
    const found = await ofEmail(item['organization_id'] as string, item['email'] as string);
    return found !== null && isOpen(found, runtime.clock.now().toISOString()) ? [found] : [];
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
      // A text that is not an id may not fit into a key.
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
  const seats = limitedSet(table, 'members');
  return {
    ...readerOf(table, runtime),
    add: (invitation, former, { limit, count }) => {
      const condition = former === null ? absent : { id: { eq: former.id }, state: { eq: former.state } };
      const lookups = lookupsOf(invitation).map((put) => ({ put }));
      const actions = [{ put: toItem(invitation), condition }, ...lookups];
      return seats.add(invitation.organizationId, limit, actions, count);
    },
    renew: async (invitation, role, expiresAt) => {
      for (const lookup of lookupsOf({ ...invitation, expiresAt })) await table.put(lookup);
      return change(table, invitation, { role, expires_at: expiresAt, expires_at_epoch: epochOf(expiresAt) });
    },
    accept: (invitation, { userId, as, at }) =>
      change(table, invitation, { state: 'accepted', accepted_by: userId, accepted_as: as, accepted_at: at }),
    markJoined: async (invitation) => {
      await change(table, { ...invitation, state: 'accepted' }, { state: 'joined' });
    },
    revoke: async (invitation) => (await change(table, invitation, { state: 'revoked' })) !== null,
  };
};

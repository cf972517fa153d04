import { textOf } from '../db/read-item.ts';
import { openTable } from '../db/table.ts';
import type { Change, Table } from '../db/contracts.ts';
import type { Runtime } from '../kernel/capability.ts';
import { AppError, notFound } from '../kernel/errors.ts';
import { memberKey, membershipKey, organizationKey, toOrganization } from './items.ts';
import { type Member, type Organization, type Role, roleOf } from './record.ts';

export interface MemberReader {
  /** Returns the members, oldest membership first. */
  list(organizationId: string): Promise<readonly Member[]>;
}

export interface MemberWriter extends MemberReader {
  /**
   * Makes a user a member, unless they are one. Returns whether the user is a member afterwards.
   * @param mayStillJoin Called before each attempt. It must return false after a removal has taken effect.
   */
  join(organizationId: string, member: Member, mayStillJoin: () => Promise<boolean>): Promise<boolean>;
  /** Returns the member after the change. Throws 404 for a user who is not a member and 409 for the last owner. */
  changeRole(organizationId: string, userId: string, role: Role): Promise<Member>;
  /**
   * Removes a member. Throws 404 for a user who is not a member and 409 for the last owner.
   * @param beforeRemoval Runs before the removal takes effect.
   */
  remove(organizationId: string, userId: string, beforeRemoval: () => Promise<void>): Promise<void>;
}

type People = Pick<Change, 'include' | 'exclude'>;

const requireMember = (organization: Organization, userId: string): void => {
  if (!organization.members.has(userId)) throw notFound('Member');
};

const requireOtherOwner = (organization: Organization, userId: string): void => {
  if (organization.owners.has(userId) && organization.owners.size === 1)
    throw new AppError('conflict', 'An organization must have at least one owner');
};

/**
 * Changes the members and owners of an organization by optimistic locking. `decide` gets the current state and runs again if
 * the state has changed before the write. Null: there is nothing to change.
 */
const changePeople = async (
  table: Table,
  organizationId: string,
  decide: (organization: Organization) => Promise<People | null> | People | null,
): Promise<void> => {
  for (;;) {
    const item = await table.get(organizationKey(organizationId));
    if (item === null) throw notFound('Organization');
    const organization = toOrganization(item);
    const people = await decide(organization);
    if (people === null) return;
    const changed = await table.update(organizationKey(organizationId), {
      ...people,
      add: { members_revision: 1 },
      condition: { members_revision: { eq: organization.membersRevision } },
    });
    if (changed !== null) return;
  }
};

const readerOf = (table: Table): MemberReader => ({
  list: async (organizationId) => {
    const found: Omit<Member, 'role'>[] = [];
    for await (const item of table.all(`ORG#${organizationId}`, { prefix: 'MEMBER#' })) {
      found.push({
        userId: item.sk.slice('MEMBER#'.length),
        email: item['email'] as string,
        joinedAt: item['joined_at'] as string,
      });
    }
    const item = await table.get(organizationKey(organizationId));
    if (item === null) return [];
    const organization = toOrganization(item);
    return found
      .filter(({ userId }) => organization.members.has(userId))
      .map((member) => ({ ...member, role: roleOf(organization, member.userId) }))
      .toSorted((a, b) => a.joinedAt.localeCompare(b.joinedAt));
  },
});

const joining =
  (table: Table): MemberWriter['join'] =>
  async (organizationId, member, mayStillJoin) => {
    const { userId, role, email, joinedAt } = member;
    const shown = { organization_id: organizationId, joined_at: joinedAt, email };
    await table.put({ ...memberKey(organizationId, userId), ...shown });
    await table.put({ ...membershipKey(organizationId, userId), ...shown });
    await changePeople(table, organizationId, async ({ members }) => {
      if (members.has(userId) || !(await mayStillJoin())) return null;
      return { include: { members: [userId], owners: role === 'owner' ? [userId] : [] } };
    });
    const item = await table.get(organizationKey(organizationId));
    return item !== null && toOrganization(item).members.has(userId);
  };

export const openMembers = (runtime: Runtime): MemberWriter => {
  const table = openTable(runtime, 'organizations');
  const reader = readerOf(table);
  return {
    ...reader,
    join: joining(table),
    changeRole: async (organizationId, userId, role) => {
      await changePeople(table, organizationId, (organization) => {
        requireMember(organization, userId);
        if (roleOf(organization, userId) === role) return null;
        if (role === 'owner') return { include: { owners: [userId] } };
        requireOtherOwner(organization, userId);
        return { exclude: { owners: [userId] } };
      });
      const item = await table.get(memberKey(organizationId, userId));
      if (item === null) throw notFound('Member');
      return { userId, role, email: item['email'] as string, joinedAt: item['joined_at'] as string };
    },
    remove: async (organizationId, userId, beforeRemoval) => {
      let joinedAt = '';
      await changePeople(table, organizationId, async (organization) => {
        requireMember(organization, userId);
        requireOtherOwner(organization, userId);
        joinedAt = textOf(await table.get(memberKey(organizationId, userId)), 'joined_at') ?? '';
        await beforeRemoval();
        return { exclude: { members: [userId], owners: [userId] } };
      });
      // The condition keeps a new membership that started in the meantime.
      const same = { joined_at: { eq: joinedAt } };
      await table.delete(memberKey(organizationId, userId), same);
      await table.delete(membershipKey(organizationId, userId), same);
    },
  };
};

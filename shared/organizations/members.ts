import { textOf } from '../db/read-item.ts';
import { openTable } from '../db/table.ts';
import type { Change, Table } from '../db/contracts.ts';
import type { Runtime } from '../kernel/capability.ts';
import { AppError, notFound } from '../kernel/errors.ts';
import { memberKey, membershipKey, organizationKey, toOrganization } from './items.ts';
import { type Member, type Organization, type Role, roleOf } from './record.ts';

export interface MemberReader {
  /** Oldest membership first. */
  list(organizationId: string): Promise<readonly Member[]>;
}

export interface MemberWriter extends MemberReader {
  /**
   * Makes a user a member, unless they are one. `stillMayJoin` is asked whenever the decision is about to fall; after a
   * removal that has taken effect it must say no. False where the user is no member afterwards.
   */
  join(organizationId: string, member: Member, stillMayJoin: () => Promise<boolean>): Promise<boolean>;
  /** The member after the change. Throws 404 for no member and 409 for the last owner. */
  changeRole(organizationId: string, userId: string, role: Role): Promise<Member>;
  /**
   * Lets a member go. `beforehand` runs before the removal takes effect. Throws 404 for no member and 409 for the last
   * owner.
   */
  remove(organizationId: string, userId: string, beforehand: () => Promise<void>): Promise<void>;
}

type People = Pick<Change, 'include' | 'exclude'>;

const requireMember = (organization: Organization, userId: string): void => {
  if (!organization.members.has(userId)) throw notFound('Member');
};

const requireOtherOwner = (organization: Organization, userId: string): void => {
  if (organization.owners.has(userId) && organization.owners.size === 1)
    throw new AppError('conflict', 'An organization keeps at least one owner');
};

/**
 * Changes who belongs to an organization: `decide` sees it as it stands, and its decision counts only where nothing has
 * changed since. Null: there is nothing to change.
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
  async (organizationId, member, stillMayJoin) => {
    const { userId, role, email, joinedAt } = member;
    const shown = { organization_id: organizationId, joined_at: joinedAt, email };
    await table.put({ ...memberKey(organizationId, userId), ...shown });
    await table.put({ ...membershipKey(organizationId, userId), ...shown });
    await changePeople(table, organizationId, async ({ members }) => {
      if (members.has(userId) || !(await stillMayJoin())) return null;
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
    remove: async (organizationId, userId, beforehand) => {
      let joinedAt = '';
      await changePeople(table, organizationId, async (organization) => {
        requireMember(organization, userId);
        requireOtherOwner(organization, userId);
        joinedAt = textOf(await table.get(memberKey(organizationId, userId)), 'joined_at') ?? '';
        await beforehand();
        return { exclude: { members: [userId], owners: [userId] } };
      });
      // Of a membership that has begun anew meanwhile nothing is taken away.
      const same = { joined_at: { eq: joinedAt } };
      await table.delete(memberKey(organizationId, userId), same);
      await table.delete(membershipKey(organizationId, userId), same);
    },
  };
};

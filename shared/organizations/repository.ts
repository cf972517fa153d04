import { absent, present } from '../db/condition.ts';
import type { Runtime } from '../kernel/capability.ts';
import { AppError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import type { Plan } from '../kernel/plans.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { followIdentity, showAddress } from './follow-identity.ts';
import { identityKey, memberKey, membershipKey, organizationKey, toOrganization } from './items.ts';
import { type Identity, type Membership, type Organization, roleOf, type Standing, type User } from './record.ts';

export interface OrganizationReader {
  get(organizationId: string): Promise<Organization | null>;
  /** Null where the user does not belong to it, or there is no such organization. */
  membership(userId: string, organizationId: string): Promise<Standing | null>;
  /** The organizations of a user, oldest membership first. */
  membershipsOf(userId: string): Promise<readonly Membership[]>;
}

/** What onboarding tells about an organization. */
export interface Onboarding {
  readonly name: string;
  readonly useCase: string;
  readonly expectedVectors: string;
  readonly defaultRegion: string;
}

export interface OrganizationWriter extends OrganizationReader {
  /**
   * The user of an identity, with the address and name that it has now, and their organizations, at least one: a user
   * without any, such as a new one, gets an organization of their own. Safe to repeat and to race.
   * @throws AppError `forbidden` where they have founded as many this month as anybody may.
   */
  admit(identity: Identity): Promise<{ readonly user: User; readonly memberships: readonly Membership[] }>;
  /** Null where there is no such organization. */
  onboard(organizationId: string, onboarding: Onboarding): Promise<Organization | null>;
  /** Holds at once for every request that follows. Null where there is no such organization. */
  setPlan(organizationId: string, plan: Plan): Promise<Organization | null>;
}

/** Ids of the user and their own organization: whoever stores them first decides for all who race. */
const claimIdentity = async (table: Table, identity: Identity, at: Date): Promise<Item> => {
  const fresh = {
    ...identityKey(identity),
    user_id: newId('usr', at),
    organization_id: newId('org', at),
    founded_at: at.toISOString(),
    email: identity.email,
    name: identity.name,
  };
  if (await table.put(fresh, absent)) return fresh;
  return (await table.get(identityKey(identity))) ?? fresh;
};

const toUser = (claim: Item): User => ({
  id: claim['user_id'] as string,
  email: claim['email'] as string,
  name: claim['name'] as string,
});

/** Founds the organization of a claim, unless that is done: whom it lets go later does not come back by this. */
const foundOrganization = async (table: Table, claim: Item): Promise<void> => {
  const organizationId = claim['organization_id'] as string;
  if ((await table.get(organizationKey(organizationId))) !== null) return;
  const user = toUser(claim);
  const shown = { organization_id: organizationId, joined_at: claim['founded_at'] as string, email: user.email };
  await table.put({ ...memberKey(organizationId, user.id), ...shown }, absent);
  await table.put({ ...membershipKey(organizationId, user.id), ...shown }, absent);
  const people = new Set([user.id]);
  const organization = {
    ...organizationKey(organizationId),
    id: organizationId,
    name: `${user.name === '' ? user.email : user.name}'s organization`,
    plan: 'developer',
    onboarded: false,
    subscription_status: 'active',
    created_at: claim['founded_at'] as string,
    members: people,
    owners: people,
    members_revision: 0,
  };
  await table.put(organization, absent);
};

/** Each organization has the free allowance of a month, so that nobody may leave one after the other behind. */
const mostFoundedInMonth = 3;

/** How many organizations a user has founded in the month of `at`, with one more. */
const foundedWithOneMore = (claim: Item, at: Date): number => {
  const month = at.toISOString().slice(0, 7);
  if (!(claim['founded_at'] as string).startsWith(month)) return 1;
  return ((claim['founded_in_month'] as number | undefined) ?? 1) + 1;
};

/** Gives a user whom every organization has let go one more of their own, the same for all who race. */
const claimAnother = async (table: Table, identity: Identity, claim: Item, at: Date): Promise<Item> => {
  const founded = foundedWithOneMore(claim, at);
  if (founded > mostFoundedInMonth)
    throw new AppError(
      'forbidden',
      `You belong to no organization, and ${mostFoundedInMonth} were made for you this month: you get another one next month`,
    );
  const changed = await table.update(identityKey(identity), {
    set: { organization_id: newId('org', at), founded_at: at.toISOString(), founded_in_month: founded },
    condition: { organization_id: { eq: claim['organization_id'] as string } },
  });
  return changed ?? (await table.get(identityKey(identity))) ?? claim;
};

const readerOf = (table: Table): OrganizationReader => {
  const get = async (organizationId: string): Promise<Organization | null> => {
    const item = await table.get(organizationKey(organizationId));
    return item === null ? null : toOrganization(item);
  };
  const membership = async (userId: string, organizationId: string): Promise<Standing | null> => {
    const organization = await get(organizationId);
    if (organization === null || !organization.members.has(userId)) return null;
    return { organizationId, organization, role: roleOf(organization, userId) };
  };
  const shownAs = async (userId: string, item: Item): Promise<readonly Membership[]> => {
    const standing = await membership(userId, item['organization_id'] as string);
    return standing === null ? [] : [{ ...standing, joinedAt: item['joined_at'] as string }];
  };
  return {
    get,
    membership,
    membershipsOf: async (userId) => {
      const found: Promise<readonly Membership[]>[] = [];
      for await (const item of table.all(`USER#${userId}`, { prefix: 'ORG#' })) found.push(shownAs(userId, item));
      return (await Promise.all(found)).flat().toSorted((a, b) => a.joinedAt.localeCompare(b.joinedAt));
    },
  };
};

export const openOrganizations = (runtime: Runtime): OrganizationWriter => {
  const table = openTable(runtime, 'organizations');
  const reader = readerOf(table);
  const change = async (organizationId: string, set: Readonly<Record<string, string | boolean>>) => {
    const item = await table.update(organizationKey(organizationId), { set, condition: present });
    return item === null ? null : toOrganization(item);
  };
  return {
    ...reader,
    admit: async (identity) => {
      let claim = await followIdentity(table, identity, await claimIdentity(table, identity, runtime.clock.now()));
      for (;;) {
        await foundOrganization(table, claim);
        const user = toUser(claim);
        const memberships = await reader.membershipsOf(user.id);
        if (memberships.length > 0) {
          await showAddress(table, user, memberships);
          return { user, memberships };
        }
        claim = await claimAnother(table, identity, claim, runtime.clock.now());
      }
    },
    onboard: (organizationId, { name, useCase, expectedVectors, defaultRegion }) =>
      change(organizationId, {
        name,
        use_case: useCase,
        expected_vectors: expectedVectors,
        default_region: defaultRegion,
        onboarded: true,
      }),
    setPlan: (organizationId, plan) => change(organizationId, { plan }),
  };
};

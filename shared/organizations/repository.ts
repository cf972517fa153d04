import { absent, present } from '../db/condition.ts';
import type { Runtime } from '../kernel/capability.ts';
import { AppError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import type { Plan } from '../kernel/plans.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { updateIdentity, updateMemberEmails } from './update-identity.ts';
import { identityKey, memberKey, membershipKey, organizationKey, toOrganization } from './items.ts';
import {
  type Identity,
  type Membership,
  type Organization,
  roleOf,
  type OrganizationAccess,
  type User,
} from './record.ts';

export interface OrganizationReader {
  get(organizationId: string): Promise<Organization | null>;
  /** Returns the access of a user to an organization; null if the user does not belong to it or it does not exist. */
  membership(userId: string, organizationId: string): Promise<OrganizationAccess | null>;
  /** Returns the organizations of a user, oldest membership first. */
  membershipsOf(userId: string): Promise<readonly Membership[]>;
}

/** Properties of an organization that onboarding sets. */
export interface Onboarding {
  readonly name: string;
  readonly useCase: string;
  readonly expectedVectors: string;
  readonly defaultRegion: string;
}

/** Changes of an organization; absent fields stay. */
export interface OrganizationChanges {
  readonly name?: string;
  /** Null: no limit. */
  readonly spendingLimitUsd?: number | null;
}

export interface OrganizationWriter extends OrganizationReader {
  /**
   * Returns the user of an identity, with the current address and name, and their organizations. A user without an
   * organization, such as a new user, gets one. Idempotent, also when requests run concurrently.
   * @throws AppError `forbidden` if the user got too many organizations this month.
   */
  signIn(identity: Identity): Promise<{ readonly user: User; readonly memberships: readonly Membership[] }>;
  /** Returns the organization after the change; null if it does not exist. */
  onboard(organizationId: string, onboarding: Onboarding): Promise<Organization | null>;
  /** Changes the name or the spending limit. Returns null if the organization does not exist. */
  update(organizationId: string, changes: OrganizationChanges): Promise<Organization | null>;
  /** Changes the plan for every following request. Returns null if the organization does not exist. */
  setPlan(organizationId: string, plan: Plan): Promise<Organization | null>;
}

/** Stores new ids of a user and their organization, or returns the ids that were stored first. */
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

/** Creates the organization of a claim, unless it exists. A user who was removed from it does not become a member again. */
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

/** Limit of new organizations of a user per month, because each has a free monthly quota. */
const maxFoundedPerMonth = 3;

/** Returns how many organizations a user has got in the month of `at`, including the next one. */
const foundedThisMonth = (claim: Item, at: Date): number => {
  const month = at.toISOString().slice(0, 7);
  if (!(claim['founded_at'] as string).startsWith(month)) return 1;
  return ((claim['founded_in_month'] as number | undefined) ?? 1) + 1;
};

/** Stores the id of a new organization for a user without any. Concurrent requests get the same id. */
const claimNewOrganization = async (table: Table, identity: Identity, claim: Item, at: Date): Promise<Item> => {
  const founded = foundedThisMonth(claim, at);
  if (founded > maxFoundedPerMonth)
    throw new AppError(
      'forbidden',
      `You belong to no organization, and ${maxFoundedPerMonth} were created for you this month. Sign in next month to get another one.`,
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
  const membership = async (userId: string, organizationId: string): Promise<OrganizationAccess | null> => {
    const organization = await get(organizationId);
    if (organization === null || !organization.members.has(userId)) return null;
    return { organizationId, organization, role: roleOf(organization, userId) };
  };
  const membershipsIn = async (userId: string, item: Item): Promise<readonly Membership[]> => {
    const access = await membership(userId, item['organization_id'] as string);
    return access === null ? [] : [{ ...access, joinedAt: item['joined_at'] as string }];
  };
  return {
    get,
    membership,
    membershipsOf: async (userId) => {
      const found: Promise<readonly Membership[]>[] = [];
      for await (const item of table.all(`USER#${userId}`, { prefix: 'ORG#' })) found.push(membershipsIn(userId, item));
      return (await Promise.all(found)).flat().toSorted((a, b) => a.joinedAt.localeCompare(b.joinedAt));
    },
  };
};

export const openOrganizations = (runtime: Runtime): OrganizationWriter => {
  const table = openTable(runtime, 'organizations');
  const reader = readerOf(table);
  const change = async (
    organizationId: string,
    set: Readonly<Record<string, string | boolean | number>>,
    remove: readonly string[] = [],
  ) => {
    const item = await table.update(organizationKey(organizationId), { set, remove, condition: present });
    return item === null ? null : toOrganization(item);
  };
  return {
    ...reader,
    signIn: async (identity) => {
      let claim = await updateIdentity(table, identity, await claimIdentity(table, identity, runtime.clock.now()));
      for (;;) {
        await foundOrganization(table, claim);
        const user = toUser(claim);
        const memberships = await reader.membershipsOf(user.id);
        if (memberships.length > 0) {
          await updateMemberEmails(table, user, memberships);
          return { user, memberships };
        }
        claim = await claimNewOrganization(table, identity, claim, runtime.clock.now());
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
    update: (organizationId, { name, spendingLimitUsd }) =>
      change(
        organizationId,
        {
          ...(name === undefined ? {} : { name }),
          ...(spendingLimitUsd == null ? {} : { spending_limit_usd: spendingLimitUsd }),
        },
        spendingLimitUsd === null ? ['spending_limit_usd'] : [],
      ),
    setPlan: (organizationId, plan) => change(organizationId, { plan }),
  };
};

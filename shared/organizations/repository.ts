import type { Runtime } from '../kernel/capability.ts';
import { newId } from '../kernel/ids.ts';
import type { Plan } from '../kernel/plans.ts';
import { type Item, openTable } from '../db/table.ts';

export type Role = 'owner' | 'member';

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly onboarded: boolean;
  readonly subscriptionStatus: string;
  readonly defaultRegion: string | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly currentPeriodEnd: string | null;
  readonly createdAt: string;
}

export interface Membership {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: Role;
  readonly joinedAt: string;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** Who a person is to the identity provider. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly name: string;
}

const organizationKey = (id: string) => ({ pk: `ORG#${id}`, sk: 'ORGANIZATION' });
const identityKey = ({ issuer, subject }: Identity) => ({ pk: `IDENTITY#${issuer}#${subject}`, sk: 'IDENTITY' });

const toOrganization = (item: Item): Organization => ({
  id: item['id'] as string,
  name: item['name'] as string,
  plan: item['plan'] as Plan,
  onboarded: item['onboarded'] as boolean,
  subscriptionStatus: item['subscription_status'] as string,
  defaultRegion: (item['default_region'] as string | undefined) ?? null,
  cancelAtPeriodEnd: (item['cancel_at_period_end'] as boolean | undefined) ?? false,
  currentPeriodEnd: (item['current_period_end'] as string | undefined) ?? null,
  createdAt: item['created_at'] as string,
});

const toMembership = (item: Item): Membership => ({
  organizationId: item['organization_id'] as string,
  userId: item['user_id'] as string,
  role: item['role'] as Role,
  joinedAt: item['joined_at'] as string,
});

export interface OrganizationReader {
  get(organizationId: string): Promise<Organization | null>;
  membership(userId: string, organizationId: string): Promise<Membership | null>;
  /** The organizations of a user, oldest membership first. */
  membershipsOf(userId: string): Promise<readonly Membership[]>;
}

export interface OrganizationWriter extends OrganizationReader {
  /** The user of an identity, made with an organization of their own on the first call. Safe to repeat and to race. */
  admit(identity: Identity): Promise<User>;
}

/** Ids of the user and their first organization: whoever stores them first decides for all who race. */
const claimIdentity = async (table: ReturnType<typeof openTable>, identity: Identity, at: Date): Promise<Item> => {
  const fresh = {
    ...identityKey(identity),
    user_id: newId('usr', at),
    organization_id: newId('org', at),
    created_at: at.toISOString(),
    email: identity.email,
    name: identity.name,
  };
  if (await table.put(fresh, { pk: { exists: false } })) return fresh;
  return (await table.get(identityKey(identity))) ?? fresh;
};

const foundOrganization = async (table: ReturnType<typeof openTable>, claim: Item): Promise<void> => {
  const absent = { pk: { exists: false } };
  const [organization_id, user_id] = [claim['organization_id'] as string, claim['user_id'] as string];
  const created_at = claim['created_at'] as string;
  const name = claim['name'] as string;
  await table.put(
    {
      ...organizationKey(organization_id),
      id: organization_id,
      name: `${name === '' ? (claim['email'] as string) : name}'s organization`,
      plan: 'developer',
      onboarded: false,
      subscription_status: 'active',
      created_at,
    },
    absent,
  );
  const membership = {
    organization_id,
    user_id,
    role: 'owner',
    joined_at: created_at,
    email: claim['email'] as string,
  };
  await table.put({ pk: `ORG#${organization_id}`, sk: `MEMBER#${user_id}`, ...membership }, absent);
  await table.put({ pk: `USER#${user_id}`, sk: `ORG#${organization_id}`, ...membership }, absent);
};

export const openOrganizations = (runtime: Runtime): OrganizationWriter => {
  const table = openTable(runtime, 'organizations');
  return {
    get: async (organizationId) => {
      const item = await table.get(organizationKey(organizationId));
      return item === null ? null : toOrganization(item);
    },
    membership: async (userId, organizationId) => {
      const item = await table.get({ pk: `USER#${userId}`, sk: `ORG#${organizationId}` });
      return item === null ? null : toMembership(item);
    },
    membershipsOf: async (userId) => {
      const memberships: Membership[] = [];
      for await (const item of table.all(`USER#${userId}`, { prefix: 'ORG#' })) memberships.push(toMembership(item));
      return memberships.toSorted((a, b) => a.joinedAt.localeCompare(b.joinedAt));
    },
    admit: async (identity) => {
      const claim = await claimIdentity(table, identity, runtime.clock.now());
      await foundOrganization(table, claim);
      return { id: claim['user_id'] as string, email: claim['email'] as string, name: claim['name'] as string };
    },
  };
};

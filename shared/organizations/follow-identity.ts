import { present } from '../db/condition.ts';
import type { Item, Table } from '../db/contracts.ts';
import { identityKey, memberKey, membershipKey } from './items.ts';
import type { Identity, User } from './record.ts';

/** The item of an identity with the address and name that its provider tells now; a name that it does not tell stays. */
export const followIdentity = async (table: Table, identity: Identity, known: Item): Promise<Item> => {
  const { email } = identity;
  const name = identity.name === '' ? (known['name'] as string) : identity.name;
  if (known['email'] === email && known['name'] === name) return known;
  return (await table.update(identityKey(identity), { set: { email, name }, condition: present })) ?? known;
};

/**
 * Lets organizations show a user by their address. Every sign-in looks at all that is shown, so that it mends what another
 * has left that died or told something else at the same time.
 */
export const showAddress = async (
  table: Table,
  { id, email }: User,
  memberships: readonly { readonly organizationId: string }[],
): Promise<void> => {
  const keys = memberships.flatMap(({ organizationId }) => [
    memberKey(organizationId, id),
    membershipKey(organizationId, id),
  ]);
  await Promise.all(
    keys.map(async (key) => {
      const item = await table.get(key);
      if (item === null || item['email'] === email) return;
      // Nobody who is let go meanwhile comes back by this.
      await table.update(key, { set: { email }, condition: present });
    }),
  );
};

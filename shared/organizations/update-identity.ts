import { present } from '../db/condition.ts';
import type { Item, Table } from '../db/contracts.ts';
import { identityKey, memberKey, membershipKey } from './items.ts';
import type { Identity, User } from './record.ts';

/** Updates the stored e-mail address and name of an identity. An empty name does not replace the stored one. */
export const updateIdentity = async (table: Table, identity: Identity, known: Item): Promise<Item> => {
  const { email } = identity;
  const name = identity.name === '' ? (known['name'] as string) : identity.name;
  if (known['email'] === email && known['name'] === name) return known;
  return (await table.update(identityKey(identity), { set: { email, name }, condition: present })) ?? known;
};

/**
 * Updates the e-mail address of a user in their organizations. Every sign-in checks all of them, which repairs a run that
 * died or ran concurrently with another address.
 */
export const updateMemberEmails = async (
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
      // The condition keeps a membership that was removed in the meantime from coming back.
      await table.update(key, { set: { email }, condition: present });
    }),
  );
};

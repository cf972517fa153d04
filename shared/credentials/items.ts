import { absent, type Condition, present } from '../db/condition.ts';
import { epochSecondsAfter } from '../db/due.ts';
import type { Item, Table } from '../db/contracts.ts';
import type { Clock } from '../kernel/clock.ts';
import { daySeconds } from '../kernel/durations.ts';

/** A page of a list: `limit` items after the one with this id. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | null;
}

/** Whether a text has the form of an identifier; what has not is nobody's, and no key of a table is made of it. */
export const isId = (text: string): boolean => /^[a-z]{2,5}_[0-9a-z]{26}$/.test(text);

/** Whether the time of a credential is over; null: it has no end. */
export const hasExpired = (expiresAt: string | null, clock: Clock): boolean =>
  expiresAt !== null && expiresAt <= clock.now().toISOString();

/** Unix seconds at which the table drops what expires: a day late, so that until then the answer can say that it did. */
export const dropAt = (expiresAt: string): number => epochSecondsAfter(new Date(expiresAt)) + daySeconds;

/** Address of a credential whose bearer value has this SHA-256. */
export const byHash = (hash: string) => ({ pk: `HASH#${hash}`, sk: 'CREDENTIAL' });

/** Address of a client, under which it proves itself. */
export const clientKey = (id: string) => ({ pk: `CLIENT#${id}`, sk: 'CLIENT' });

/** Kinds of listed credentials: keys and clients of an organization, and sessions of a user. */
type Listed = 'KEY' | 'CLIENT' | 'SESSION';

/**
 * Credentials of an owner as its lists show them, under the sort key prefix `kind`. What works is another item, found by
 * a digest or an id alone: written after the listed one, so that a crash leaves a dead thing that can be seen, never a
 * live one that cannot.
 */
export const listOf = (table: Table, kind: Listed) => {
  const partitionOf = (ownerId: string): string => `${kind === 'SESSION' ? 'USER' : 'ORG'}#${ownerId}`;
  const keyOf = (ownerId: string, id: string) => ({ pk: partitionOf(ownerId), sk: `${kind}#${id}` });
  const workingKeyOf = (listed: Item) =>
    kind === 'CLIENT' ? clientKey(listed['id'] as string) : byHash(listed['hash'] as string);
  return {
    keyOf,
    /** Newest first. */
    page: async (
      ownerId: string,
      { limit, after }: PageRequest,
      where?: Condition,
    ): Promise<{ readonly items: readonly Item[]; readonly next: string | null }> => {
      const { items, next } = await table.query(partitionOf(ownerId), {
        prefix: `${kind}#`,
        newestFirst: true,
        limit,
        ...(where === undefined ? {} : { where }),
        after: after !== null && isId(after) ? `${kind}#${after}` : null,
      });
      return { items, next: next?.slice(kind.length + 1) ?? null };
    },
    /** Stops what is listed under an id; false where nothing is. Repeating it changes nothing. */
    revoke: async (ownerId: string, id: string, at: string): Promise<boolean> => {
      const listed = isId(id) ? await table.get(keyOf(ownerId, id)) : null;
      if (listed === null) return false;
      const workingKey = workingKeyOf(listed);
      const revoke = { setOnce: { revoked_at: at }, condition: present };
      // What never came to work is stored as revoked, so that no repeat of its creation brings it to life.
      await table.put({ ...listed, ...workingKey, revoked_at: at }, absent);
      await table.update(workingKey, revoke);
      await table.update(keyOf(ownerId, id), revoke);
      return true;
    },
  };
};

import { absent, present } from '../db/condition.ts';
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

/**
 * Things of an organization as its lists show them, under the sort key prefix `kind`. What works is another item, found by
 * a digest or an id alone: written after the listed one, so that a crash leaves a dead thing that can be seen, never a
 * live one that cannot.
 */
export const listOf = (table: Table, kind: 'KEY' | 'CLIENT') => {
  const keyOf = (organizationId: string, id: string) => ({ pk: `ORG#${organizationId}`, sk: `${kind}#${id}` });
  return {
    keyOf,
    /** Newest first. */
    page: async (
      organizationId: string,
      { limit, after }: PageRequest,
    ): Promise<{ readonly items: readonly Item[]; readonly next: string | null }> => {
      const { items, next } = await table.query(`ORG#${organizationId}`, {
        prefix: `${kind}#`,
        newestFirst: true,
        limit,
        after: after !== null && isId(after) ? `${kind}#${after}` : null,
      });
      return { items, next: next?.slice(kind.length + 1) ?? null };
    },
    /** Stops what is listed under an id; false where nothing is. Repeating it changes nothing. */
    revoke: async (
      organizationId: string,
      id: string,
      at: string,
      workingKey: (listed: Item) => { readonly pk: string; readonly sk: string },
    ): Promise<boolean> => {
      const listed = isId(id) ? await table.get(keyOf(organizationId, id)) : null;
      if (listed === null) return false;
      const revoke = { setOnce: { revoked_at: at }, condition: present };
      // What never came to work is stored as revoked, so that no repeat of its creation brings it to life.
      await table.put({ ...listed, ...workingKey(listed), revoked_at: at }, absent);
      await table.update(workingKey(listed), revoke);
      await table.update(keyOf(organizationId, id), revoke);
      return true;
    },
  };
};

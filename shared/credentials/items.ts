import { absent, type Condition, present } from '../db/condition.ts';
import { epochSecondsAfter } from '../db/due.ts';
import type { Item, Table } from '../db/contracts.ts';
import type { Clock } from '../kernel/clock.ts';
import { daySeconds } from '../kernel/durations.ts';

/** Page of a list: `limit` items after the item with the id `after`. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | null;
}

/** Whether a text has the form of an id. No table key is built from any other text. */
export const isId = (text: string): boolean => /^[a-z]{2,5}_[0-9a-z]{26}$/.test(text);

/** Whether a credential has expired; null: it never expires. */
export const hasExpired = (expiresAt: string | null, clock: Clock): boolean =>
  expiresAt !== null && expiresAt <= clock.now().toISOString();

/** Returns the TTL of an item in Unix seconds: a day after its expiry, so that the error can say `token_expired`. */
export const ttlEpochSeconds = (expiresAt: string): number => epochSecondsAfter(new Date(expiresAt)) + daySeconds;

/** Returns the table key of a credential by the SHA-256 of its bearer value. */
export const hashKey = (hash: string) => ({ pk: `HASH#${hash}`, sk: 'CREDENTIAL' });

/** Returns the table key of how the tokens of an API key are verified. */
export const userTokensKey = (keyId: string) => ({ pk: `KEY#${keyId}`, sk: 'USER_TOKENS' });

/** Returns the table key under which a client is authenticated. */
export const clientKey = (id: string) => ({ pk: `CLIENT#${id}`, sk: 'CLIENT' });

/** Returns the table key of a grant. */
export const grantKey = (organizationId: string, id: string) => ({ pk: `ORG#${organizationId}`, sk: `GRANT#${id}` });

/** Kinds of listed credentials: API keys and clients of an organization, and sessions of a user. */
type Listed = 'KEY' | 'CLIENT' | 'SESSION';

/**
 * Opens the list of an owner's credentials, whose sort keys start with `kind`. Authentication reads another item, by a hash
 * or an id. It is written after the listed item, so after a crash every valid credential is listed.
 */
export const listOf = (table: Table, kind: Listed) => {
  const partitionOf = (ownerId: string): string => `${kind === 'SESSION' ? 'USER' : 'ORG'}#${ownerId}`;
  const keyOf = (ownerId: string, id: string) => ({ pk: partitionOf(ownerId), sk: `${kind}#${id}` });
  const activeKeyOf = (listed: Item) =>
    kind === 'CLIENT' ? clientKey(listed['id'] as string) : hashKey(listed['hash'] as string);
  return {
    keyOf,
    /** Returns one page, newest first. */
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
    /** Revokes a listed credential. Idempotent. False: there is none with this id. */
    revoke: async (ownerId: string, id: string, at: string): Promise<boolean> => {
      const listed = isId(id) ? await table.get(keyOf(ownerId, id)) : null;
      if (listed === null) return false;
      const activeKey = activeKeyOf(listed);
      const revoke = { setOnce: { revoked_at: at }, condition: present };
      // A credential that was not active yet is stored as revoked, so a repeat of its creation cannot activate it.
      await table.put({ ...listed, ...activeKey, revoked_at: at }, absent);
      await table.update(activeKey, revoke);
      await table.update(keyOf(ownerId, id), revoke);
      return true;
    },
  };
};

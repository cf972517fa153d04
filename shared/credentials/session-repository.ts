import { absent, present } from '../db/condition.ts';
import type { Item, Table } from '../db/contracts.ts';
import { textOf } from '../db/read-item.ts';
import type { Clock } from '../kernel/clock.ts';
import { hashKey, ttlEpochSeconds, listOf, type PageRequest } from './items.ts';
import { tokenHash } from './token.ts';

/** Session that a token authenticates. */
export interface Session {
  readonly userId: string;
  readonly email: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
}

interface NewSession extends Omit<Session, 'revokedAt'> {
  readonly id: string;
  readonly createdAt: string;
  /** `user-agent` header of the request that opened the session. */
  readonly userAgent: string | null;
}

/** Session in the list of its user. */
interface ListedSession extends Omit<NewSession, 'userId' | 'email'> {
  /** SHA-256 of its token. */
  readonly hash: string;
  /** Name of the application that was last connected with the session; null if there is none. */
  readonly application: string | null;
}

export interface SessionReader {
  /** Returns the open sessions of a user, newest first. Sessions of versions without this list are missing. */
  listSessions(
    userId: string,
    page: PageRequest,
  ): Promise<{ readonly sessions: readonly ListedSession[]; readonly next: string | null }>;
}

export interface SessionWriter {
  addSession(session: NewSession, token: string): Promise<void>;
  /** Ends the session whose token has this SHA-256. Idempotent. */
  endSession(userId: string, hash: string, at: string): Promise<void>;
  /** Ends a session by its id. Idempotent. False: the user does not have the session. */
  endListedSession(userId: string, sessionId: string, at: string): Promise<boolean>;
}

export const toSession = (item: Item): Session => ({
  userId: item['user_id'] as string,
  email: item['email'] as string,
  expiresAt: item['expires_at'] as string,
  revokedAt: textOf(item, 'revoked_at'),
});

const toListedSession = (item: Item): ListedSession => ({
  id: item['id'] as string,
  createdAt: item['created_at'] as string,
  expiresAt: item['expires_at'] as string,
  userAgent: textOf(item, 'user_agent'),
  hash: item['hash'] as string,
  application: textOf(item, 'application'),
});

export const openSessions = (table: Table, clock: Clock): SessionReader & SessionWriter => {
  const listed = listOf(table, 'SESSION');
  return {
    listSessions: async (userId, page) => {
      const open = { revoked_at: { exists: false }, expires_at: { gt: clock.now().toISOString() } } as const;
      const { items, next } = await listed.page(userId, page, open);
      return { sessions: items.map(toListedSession), next };
    },
    addSession: async ({ id, userId, email, createdAt, expiresAt, userAgent }, token) => {
      const hash = tokenHash(token);
      const item = {
        kind: 'session',
        id,
        user_id: userId,
        email,
        created_at: createdAt,
        expires_at: expiresAt,
        expires_at_epoch: ttlEpochSeconds(expiresAt),
        hash,
        ...(userAgent === null ? {} : { user_agent: userAgent }),
      };
      await table.put({ ...listed.keyOf(userId, id), ...item });
      await table.put({ ...hashKey(hash), ...item }, absent);
    },
    endSession: async (userId, hash, at) => {
      const ended = await table.update(hashKey(hash), { setOnce: { revoked_at: at }, condition: present });
      const id = textOf(ended, 'id');
      if (id !== null) await listed.revoke(userId, id, at);
    },
    endListedSession: (userId, sessionId, at) => listed.revoke(userId, sessionId, at),
  };
};

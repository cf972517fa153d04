import type { Item, Table } from '../db/contracts.ts';
import { AppError } from '../kernel/errors.ts';
import type { Principal } from '../http/principal.ts';
import type { Organization, Role } from '../organizations/index.ts';
import { listOf } from './items.ts';

/*
 * A credential stores the ids of its creators: a user, API keys and OAuth clients, each created by the one before it. The last
 * created the credential. It ends with any of them. The chain is bounded, so one batch reads all of it.
 */

/** Keys and clients that a chain may hold: authentication reads each of them. */
const maxCreatingPrograms = 8;

const isUser = (id: string): boolean => id.startsWith('usr_');

/** The creators of a stored credential; none for one that an earlier version stored. */
export const creatorsIn = (item: Item): readonly string[] => (item['creators'] as readonly string[] | undefined) ?? [];

/** The creators of a credential that a caller creates. Throws 403 where there would be too many. */
export const creatorsUnder = (caller: Pick<Principal, 'creators' | 'subjectId'>): readonly string[] => {
  const creators = [...caller.creators, caller.subjectId];
  if (creators.filter((id) => !isUser(id)).length <= maxCreatingPrograms) return creators;
  throw new AppError(
    'forbidden',
    `A chain of credentials that create each other has ${maxCreatingPrograms} links at most: create this one by a session or an earlier credential`,
  );
};

/** Whether a key or client among the creators is revoked or gone. One strongly consistent batch; none without them. */
export const hasRevokedCreator = async (
  table: Table,
  organizationId: string,
  creators: readonly string[],
): Promise<boolean> => {
  const items = await Promise.all(
    creators
      .filter((id) => !isUser(id))
      .map((id) => table.get(listOf(table, id.startsWith('key_') ? 'KEY' : 'CLIENT').keyOf(organizationId, id))),
  );
  return items.some((item) => item === null || item['revoked_at'] !== undefined);
};

/**
 * The role that the user at the head of a chain has now; null where no user is known to have begun it, undefined where the
 * user does not belong to the organization any more.
 */
export const creatorRole = (
  { members, owners }: Pick<Organization, 'members' | 'owners'>,
  [first]: readonly string[],
): Role | null | undefined => {
  if (first === undefined || !isUser(first)) return null;
  if (!members.has(first)) return undefined;
  return owners.has(first) ? 'owner' : 'member';
};

/** Revokes every key and client that a creator began or continued a chain of. Repeating it changes nothing. */
export const revokeCreatedBy = async (
  table: Table,
  organizationId: string,
  creatorId: string,
  at: string,
): Promise<void> => {
  const where = { revoked_at: { exists: false }, creators: { contains: creatorId } } as const;
  for (const kind of ['KEY', 'CLIENT'] as const) {
    const listed = listOf(table, kind);
    for await (const { sk } of table.all(`ORG#${organizationId}`, { prefix: `${kind}#`, where }))
      await listed.revoke(organizationId, sk.slice(kind.length + 1), at);
  }
};

import { present } from '../db/condition.ts';
import type { Table } from '../db/contracts.ts';
import { AppError } from '../kernel/errors.ts';
import type { Principal } from '../http/principal.ts';
import type { Organization, Role } from '../organizations/index.ts';
import { listOf } from './items.ts';

/*
 * A credential stores the ids of its creators: a user, API keys and OAuth clients, each created by the previous one. The last
 * one created the credential. It ends with any of them. The chain is bounded, so one batch reads all of it.
 */

/** Maximum number of keys and clients in a chain. Authentication reads each of them. */
const maxCreatingPrograms = 8;

const isUser = (id: string): boolean => id.startsWith('usr_');

/** Returns the creators of a credential that a caller creates. Throws 403 if there are too many. */
export const creatorsFor = (caller: Pick<Principal, 'creators' | 'subjectId'>): readonly string[] => {
  const creators = [...caller.creators, caller.subjectId];
  if (creators.filter((id) => !isUser(id)).length <= maxCreatingPrograms) return creators;
  throw new AppError(
    'forbidden',
    `A chain of credentials that create each other may have at most ${maxCreatingPrograms} links. Create this one with a session or an earlier credential.`,
  );
};

/** Returns whether a key or client among the creators is revoked or missing. Reads them in one strongly consistent batch. */
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
 * Returns the current role of the user at the head of a chain. Null: the chain has no user. Undefined: the user no longer
 * belongs to the organization.
 */
export const creatorRole = (
  { members, owners }: Pick<Organization, 'members' | 'owners'>,
  [first]: readonly string[],
): Role | null | undefined => {
  if (first === undefined || !isUser(first)) return null;
  if (!members.has(first)) return undefined;
  return owners.has(first) ? 'owner' : 'member';
};

/** Revokes every key, client and grant that has a creator in its chain. Idempotent. */
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
  for await (const { pk, sk } of table.all(`ORG#${organizationId}`, { prefix: 'GRANT#', where }))
    await table.update({ pk, sk }, { setOnce: { revoked_at: at }, condition: present });
};

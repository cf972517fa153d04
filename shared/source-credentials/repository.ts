import type * as z from 'zod';
import { absent, present } from '../db/condition.ts';
import type { Item } from '../db/contracts.ts';
import { membersOf } from '../db/read-item.ts';
import { deleteSealKeys, openSealed, replaceSealed, sealKeysOf } from '../db/sealed-field.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { AppError } from '../kernel/errors.ts';
import type { SourceCredentialsResponse, StorageProvider } from './schemas.ts';

/** Stored credentials without their values. */
export interface StoredCredentialsRecord {
  readonly name: string;
  readonly provider: StorageProvider;
  readonly createdAt: string;
  readonly replacedAt: string;
}

/** Connector that uses credentials. */
export interface CredentialsUser {
  readonly indexId: string;
  readonly connectionId: string;
}

export interface StoredCredentialsReader {
  get(organizationId: string, name: string): Promise<StoredCredentialsRecord | null>;
  /** Returns all of an organization, in order of name. */
  list(organizationId: string): Promise<readonly StoredCredentialsRecord[]>;
}

/** Records which connectors use credentials. */
export interface StoredCredentialsUsage extends StoredCredentialsReader {
  /**
   * Records a user. A connector calls this before and after it is stored, so that a concurrent deletion sees one of the
   * two. Returns false if the credentials do not exist.
   */
  use(organizationId: string, name: string, user: CredentialsUser): Promise<boolean>;
}

export interface StoredCredentialsWriter extends StoredCredentialsReader {
  /** Stores or replaces credentials. `secret`: 32 random bytes. Throws 409. */
  put(
    organizationId: string,
    name: string,
    credentials: { readonly provider: StorageProvider; readonly value: unknown; readonly secret: Buffer },
  ): Promise<StoredCredentialsRecord>;
  /**
   * Deletes credentials, unless one of their recorded users exists.
   * @returns Whether they existed, or a user.
   */
  delete(
    organizationId: string,
    name: string,
    exists: (user: CredentialsUser) => Promise<boolean>,
  ): Promise<boolean | CredentialsUser>;
}

/** Reads the values of credentials. */
export interface StoredCredentialsOpener {
  /** Returns null if they do not exist. */
  open(organizationId: string, name: string): Promise<unknown>;
}

const partition = (organizationId: string): string => `CREDENTIALS#${organizationId}`;
const field = 'credentials';
const maxStored = 100;
/** Maximum number of recorded users, so that an item stays far below its maximum size. */
const maxUsers = 2_000;

const notDeleted = { ...present, deleted_at: { exists: false } } as const;

/** Whether an item has credentials. A creation that crashed has left none. */
const isStored = (item: Item | null): item is Item =>
  item !== null && item['deleted_at'] === undefined && item[field] !== undefined;

const toRecord = (item: Item): StoredCredentialsRecord => ({
  name: item.sk,
  provider: item['provider'] as StorageProvider,
  createdAt: item['created_at'] as string,
  replacedAt: item['replaced_at'] as string,
});

const usersOf = (item: Item): readonly CredentialsUser[] =>
  [...membersOf(item, 'users')].map((user) => {
    const [indexId = '', connectionId = ''] = user.split('#');
    return { indexId, connectionId };
  });

const openReader = (runtime: Runtime): StoredCredentialsReader => {
  const table = openTable(runtime, 'connectors');
  return {
    get: async (organizationId, name) => {
      const item = await table.get({ pk: partition(organizationId), sk: name });
      return isStored(item) ? toRecord(item) : null;
    },
    list: async (organizationId) => {
      const items = await Array.fromAsync(table.all(partition(organizationId)));
      return items.filter(isStored).map(toRecord);
    },
  };
};

const openUsage = (runtime: Runtime): StoredCredentialsUsage => {
  const table = openTable(runtime, 'connectors');
  return {
    ...openReader(runtime),
    use: async (organizationId, name, { indexId, connectionId }) => {
      const item = await table.update(
        { pk: partition(organizationId), sk: name },
        { include: { users: [`${indexId}#${connectionId}`] }, add: { revision: 1 }, condition: notDeleted },
      );
      if (membersOf(item, 'users').size > maxUsers)
        throw new AppError('conflict', `Stored credentials may have at most ${maxUsers} connectors over time`);
      return isStored(item);
    },
  };
};

/** Deletes the keys and the record of credentials that are marked as deleted. */
const finishDeletion = async (runtime: Runtime, item: Item): Promise<void> => {
  await deleteSealKeys(openTable(runtime, 'secrets'), sealKeysOf(item, field));
  await openTable(runtime, 'connectors').delete({ pk: item.pk, sk: item.sk }, { deleted_at: { exists: true } });
};

const conflict = (): AppError => new AppError('conflict', 'The credentials were changed by another request. Try again');

const openWriter = (runtime: Runtime): StoredCredentialsWriter => {
  const table = openTable(runtime, 'connectors');
  const reader = openReader(runtime);
  return {
    ...reader,
    put: async (organizationId, name, { provider, value, secret }) => {
      const key = { pk: partition(organizationId), sk: name };
      const at = runtime.clock.now().toISOString();
      const known = await table.get(key);
      if (known?.['deleted_at'] !== undefined) await finishDeletion(runtime, known);
      if (isStored(known) && known['provider'] !== provider)
        throw new AppError('conflict', `The name has credentials of ${toRecord(known).provider}`);
      if (!isStored(known)) {
        if ((await reader.list(organizationId)).length >= maxStored)
          throw new AppError('conflict', `An organization may have at most ${maxStored} stored credentials`);
        await table.put({ ...key, provider, created_at: at }, absent);
      }
      const place = { table: 'connectors', key } as const;
      const same = isStored(known) ? { provider: { eq: provider } } : {};
      const change = { set: { provider, replaced_at: at }, condition: { ...notDeleted, ...same } };
      const changed = await replaceSealed(runtime, place, { field, value, secret, isThere: notDeleted }, change);
      if (changed === null) throw conflict();
      return toRecord(changed);
    },
    delete: async (organizationId, name, exists) => {
      const key = { pk: partition(organizationId), sk: name };
      for (let item = await table.get(key); item !== null; item = await table.get(key)) {
        if (item['deleted_at'] === undefined) {
          for (const user of usersOf(item)) if (await exists(user)) return user;
          const revision = item['revision'];
          const marked = await table.update(key, {
            set: { deleted_at: runtime.clock.now().toISOString() },
            condition: { ...notDeleted, revision: revision === undefined ? { exists: false } : { eq: revision } },
          });
          // A connector may have begun to use them meanwhile.
          if (marked === null) continue;
          item = marked;
        }
        await finishDeletion(runtime, item);
        return true;
      }
      return false;
    },
  };
};

export const storedCredentialsRead = capability<StoredCredentialsReader>(['connectors.read'], openReader);
export const storedCredentialsUse = capability<StoredCredentialsUsage>(
  ['connectors.read', 'connectors.write'],
  openUsage,
);
export const storedCredentialsWrite = capability<StoredCredentialsWriter>(
  ['connectors.read', 'connectors.write', 'secrets.write'],
  openWriter,
);
export const storedCredentialsOpen = capability<StoredCredentialsOpener>(
  ['connectors.read', 'secrets.read'],
  (runtime) => ({
    open: async (organizationId, name) => {
      const item = await openTable(runtime, 'connectors').get({ pk: partition(organizationId), sk: name });
      return isStored(item) ? openSealed(openTable(runtime, 'secrets'), item, field) : null;
    },
  }),
);

/** Returns the API representation of stored credentials. */
export const toSourceCredentialsResponse = (
  record: StoredCredentialsRecord,
): z.input<typeof SourceCredentialsResponse> => ({
  name: record.name,
  provider: record.provider,
  created_at: record.createdAt,
  replaced_at: record.replacedAt,
});

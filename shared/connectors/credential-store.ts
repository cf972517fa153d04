import { absent } from '../db/condition.ts';
import { dueBy } from '../db/due.ts';
import type { Item } from '../db/contracts.ts';
import { deleteSealKeys, replaceSealed, sameSealKey } from '../db/sealed-field.ts';
import { openTable } from '../db/table.ts';
import { documentsWrite } from '../documents/index.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { seal } from '../kernel/seal.ts';
import {
  type ConnectionAddress,
  connectionKey,
  connectionPartition,
  type ConnectionRecord,
  sourceField,
  sourceKeysOf,
  toConnectionRecord,
  unleased,
} from './record.ts';
import { changeOf, type ConnectionReader, openConnectionReader, notDeleted } from './repository.ts';
import type { ConnectorStatus } from './schemas.ts';
import { clearSyncReports } from './sync-reports.ts';

/** New credentials of a connection and its status after the change. */
interface CredentialReplacement {
  /** Status that the connection had when it was read. */
  readonly from: ConnectorStatus;
  readonly status: ConnectorStatus;
  readonly source: unknown;
  readonly storedCredentials: string | null;
  /** 32 random bytes. */
  readonly key: Buffer;
}

/**
 * Creates and deletes connections with their credentials, and replaces credentials.
 * Credentials, addresses and descriptions of a source are sealed (AES-256-GCM, bound to the connection) in its record.
 * The key of each record is in the table `secrets`, which no API function can read.
 * Deleting a connection deletes its key first, so that its credentials cannot be decrypted any more.
 */
export interface CredentialStore extends ConnectionReader {
  /** Stores a connection. Returns false if it exists. `key`: 32 random bytes. */
  add(connection: ConnectionRecord, source: unknown, key: Buffer): Promise<boolean>;
  /** Replaces the credentials and restarts the sync. Null if the connection was deleted or changed meanwhile. */
  replaceCredentials(address: ConnectionAddress, reopening: CredentialReplacement): Promise<ConnectionRecord | null>;
  /**
   * Deletes the credentials and marks the connection as deleted; the sync worker then removes its content.
   * Returns false if there is no connection.
   */
  remove(address: ConnectionAddress): Promise<boolean>;
  /**
   * Deletes all connections of an index with their document records.
   * @param isGone Checks the index again after each record is read. If the index exists again, the connection stays.
   */
  removeAll(organizationId: string, indexId: string, isGone?: () => Promise<boolean>): Promise<void>;
}

const addressOfConnection = ({ organizationId, indexId, id }: ConnectionRecord): ConnectionAddress => ({
  organizationId,
  indexId,
  connectionId: id,
});

/** Replaces the credentials together with their key, which gets its own name. */
const reopen = async (
  runtime: Runtime,
  address: ConnectionAddress,
  { from, status, source, storedCredentials, key }: CredentialReplacement,
): Promise<ConnectionRecord | null> => {
  const place = { table: 'connectors', key: connectionKey(address) } as const;
  const sealed = { field: sourceField, value: source, secret: key, context: JSON.stringify(address) };
  const change = changeOf(address, from, { status, anew: true, retries: true }, runtime.clock.now());
  const changed = await replaceSealed(
    runtime,
    place,
    { ...sealed, isThere: notDeleted },
    {
      ...change,
      set: { ...change.set, stored_credentials: storedCredentials ?? undefined },
      remove: [...(change.remove ?? []), ...(storedCredentials === null ? ['stored_credentials'] : [])],
    },
  );
  return changed === null ? null : toConnectionRecord(changed);
};

/** Attributes that make the first sync of a connection due at once. */
const firstSync = ({ organizationId, status, createdAt }: ConnectionRecord) =>
  status === 'syncing' ? dueBy('syncs', organizationId, new Date(createdAt)) : {};

/** Returns the item of a new connection. `source`: its sealed credentials. */
const newItem = (connection: ConnectionRecord, source: string): Item => ({
  ...connectionKey(addressOfConnection(connection)),
  organization_id: connection.organizationId,
  index_id: connection.indexId,
  provider: connection.provider,
  name: connection.name,
  status: connection.status,
  scope: connection.scope,
  ...(connection.storedCredentials === null ? {} : { stored_credentials: connection.storedCredentials }),
  metadata: JSON.stringify(connection.metadata),
  ...(connection.syncIntervalMinutes === null ? {} : { sync_interval_minutes: connection.syncIntervalMinutes }),
  source,
  created_at: connection.createdAt,
  ...unleased,
  ...firstSync(connection),
});

const openCredentialStore = (runtime: Runtime): CredentialStore => {
  const table = openTable(runtime, 'connectors');
  const secrets = openTable(runtime, 'secrets');
  const documents = documentsWrite.make(runtime);
  return {
    ...openConnectionReader(runtime),
    replaceCredentials: (address, reopening) => reopen(runtime, address, reopening),
    add: async (connection, source, key) => {
      const address = addressOfConnection(connection);
      // An existing connection may have another key by now.
      if ((await table.get(connectionKey(address))) !== null) return false;
      await secrets.put({ ...connectionKey(address), key: key.toString('base64') }, absent);
      return table.put(newItem(connection, seal(JSON.stringify(source), key, JSON.stringify(address))), absent);
    },
    remove: async (address) => {
      const known = await table.get(connectionKey(address));
      await deleteSealKeys(secrets, known === null ? [connectionKey(address)] : sourceKeysOf(known));
      const now = runtime.clock.now();
      const set = { deleted_at: now.toISOString(), ...dueBy('syncs', address.organizationId, now) };
      const removed = await table.update(connectionKey(address), { set, add: { revision: 1 }, condition: notDeleted });
      // The credentials may have been replaced meanwhile.
      if (removed !== null) await deleteSealKeys(secrets, sourceKeysOf(removed));
      return removed !== null;
    },
    removeAll: async (organizationId, indexId, isGone) => {
      for await (const item of table.all(connectionPartition(organizationId, indexId))) {
        if ((await isGone?.()) === false) return;
        const { pk, sk } = item;
        for (let known: Item | null = item; known !== null; known = await table.get({ pk, sk })) {
          await deleteSealKeys(secrets, sourceKeysOf(known));
          await documents.clear({ organizationId, indexId, sourceId: sk });
          await clearSyncReports(table, { organizationId, indexId, connectionId: sk });
          if (await table.delete({ pk, sk }, sameSealKey(known, sourceField))) break;
        }
      }
    },
  };
};

export const credentialStore = capability<CredentialStore>(
  ['connectors.read', 'connectors.write', 'documents.read', 'documents.write', 'secrets.write'],
  openCredentialStore,
);

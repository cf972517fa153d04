import { randomUUID } from 'node:crypto';
import { absent, type Condition } from '../db/condition.ts';
import { dueBy } from '../db/due.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { documentsWrite } from '../documents/index.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { seal } from '../kernel/seal.ts';
import {
  type ConnectionAddress,
  connectionKey,
  connectionPartition,
  type ConnectionRecord,
  sourceKeysOf,
  toConnectionRecord,
  unleased,
} from './record.ts';
import { changeOf, type ConnectionReader, openConnectionReader, standing } from './repository.ts';
import type { ConnectorStatus } from './schemas.ts';

/** What opens a source from now on, and what its connection is in then. */
interface CredentialReplacement {
  /** What the connection was in when it was read. */
  readonly from: ConnectorStatus;
  readonly status: ConnectorStatus;
  readonly source: unknown;
  /** 32 random bytes. */
  readonly key: Buffer;
}

/**
 * Makes, opens anew and removes connections with what opens their sources.
 *
 * All that a caller says of a source, credentials and addresses alike, is kept in two halves: sealed (AES-256-GCM, bound to
 * the connection) in the record, and the key of that one record in the table `secrets`, which no function of the API can
 * get anything from. Removing the key comes first when a connection is removed, so nothing is ever left that opens it.
 */
export interface CredentialStore extends ConnectionReader {
  /** Stores a connection; false where it is there already. `key`: 32 random bytes. */
  add(connection: ConnectionRecord, source: unknown, key: Buffer): Promise<boolean>;
  /**
   * Puts what opens the source in the place of what did, and begins the sync anew; null where the connection is gone or was
   * changed meanwhile.
   */
  replaceCredentials(address: ConnectionAddress, reopening: CredentialReplacement): Promise<ConnectionRecord | null>;
  /** Forgets what opens the source and leaves the rest to the syncs, which remove its content; false where there is none. */
  remove(address: ConnectionAddress): Promise<boolean>;
  /**
   * Forgets every connection of an index, with what is known of its documents.
   * @param isGone Asked about the index for each once it has been read: where it is there again, the connection stays.
   */
  removeAll(organizationId: string, indexId: string, isGone?: () => Promise<boolean>): Promise<void>;
}

const addressOfConnection = ({ organizationId, indexId, id }: ConnectionRecord): ConnectionAddress => ({
  organizationId,
  indexId,
  connectionId: id,
});

/** Removes keys; those of a connection may have to be removed again once nobody can make others. */
const deleteKeys = async (secrets: Table, names: readonly Pick<Item, 'pk' | 'sk'>[]): Promise<void> => {
  for (const name of names) await secrets.delete(name);
};

/** That a connection has been given no other key. */
const sameKey = (known: Item): Condition => ({
  source_key: known['source_key'] === undefined ? { exists: false } : { eq: known['source_key'] },
});

/** Under a name of its own, the new key takes the place of the old one together with what it opens. */
const reopen = async (
  runtime: Runtime,
  address: ConnectionAddress,
  { from, status, source, key }: CredentialReplacement,
): Promise<ConnectionRecord | null> => {
  const table = openTable(runtime, 'connectors');
  const secrets = openTable(runtime, 'secrets');
  const name = { ...connectionKey(address), sk: `${address.connectionId}#${randomUUID()}` };
  // Written down first: whoever removes the connection finds the key, wherever this ends.
  const noted = { include: { source_keys: [name.sk] }, condition: standing };
  const known = await table.update(connectionKey(address), noted);
  if (known === null) return null;
  const others = sourceKeysOf(known).filter(({ sk }) => sk !== name.sk);
  await secrets.put({ ...name, key: key.toString('base64') }, absent);
  const change = changeOf(address, from, { status, anew: true, retries: true }, runtime.clock.now());
  const changed = await table.update(connectionKey(address), {
    ...change,
    set: { ...change.set, source: seal(JSON.stringify(source), key, JSON.stringify(address)), source_key: name.sk },
    condition: { ...change.condition, ...sameKey(known) },
  });
  const left = changed === null ? [name] : others;
  await deleteKeys(secrets, left);
  const gone = { exclude: { source_keys: left.map(({ sk }) => sk) }, condition: standing };
  await table.update(connectionKey(address), gone);
  return changed === null ? null : toConnectionRecord(changed);
};

/** Makes a connection that begins to sync due at once. */
const firstSync = ({ organizationId, status, createdAt }: ConnectionRecord) =>
  status === 'syncing' ? dueBy('syncs', organizationId, new Date(createdAt)) : {};

const openCredentialStore = (runtime: Runtime): CredentialStore => {
  const table = openTable(runtime, 'connectors');
  const secrets = openTable(runtime, 'secrets');
  const documents = documentsWrite.make(runtime);
  return {
    ...openConnectionReader(runtime),
    replaceCredentials: (address, reopening) => reopen(runtime, address, reopening),
    add: async (connection, source, key) => {
      const address = addressOfConnection(connection);
      // It may have another key by now.
      if ((await table.get(connectionKey(address))) !== null) return false;
      await secrets.put({ ...connectionKey(address), key: key.toString('base64') }, absent);
      const item = {
        ...connectionKey(address),
        organization_id: connection.organizationId,
        index_id: connection.indexId,
        provider: connection.provider,
        name: connection.name,
        status: connection.status,
        scope: connection.scope,
        ...(connection.syncIntervalMinutes === null ? {} : { sync_interval_minutes: connection.syncIntervalMinutes }),
        source: seal(JSON.stringify(source), key, JSON.stringify(address)),
        created_at: connection.createdAt,
        ...unleased,
        ...firstSync(connection),
      };
      return table.put(item, absent);
    },
    remove: async (address) => {
      const known = await table.get(connectionKey(address));
      await deleteKeys(secrets, known === null ? [connectionKey(address)] : sourceKeysOf(known));
      const now = runtime.clock.now();
      const set = { deleted_at: now.toISOString(), ...dueBy('syncs', address.organizationId, now) };
      const removed = await table.update(connectionKey(address), { set, add: { revision: 1 }, condition: standing });
      // It may have been opened anew meanwhile.
      if (removed !== null) await deleteKeys(secrets, sourceKeysOf(removed));
      return removed !== null;
    },
    removeAll: async (organizationId, indexId, isGone) => {
      for await (const item of table.all(connectionPartition(organizationId, indexId))) {
        if ((await isGone?.()) === false) return;
        const { pk, sk } = item;
        for (let known: Item | null = item; known !== null; known = await table.get({ pk, sk })) {
          await deleteKeys(secrets, sourceKeysOf(known));
          await documents.clear({ organizationId, indexId, sourceId: sk });
          if (await table.delete({ pk, sk }, sameKey(known))) break;
        }
      }
    },
  };
};

export const credentialStore = capability<CredentialStore>(
  ['connectors.read', 'connectors.write', 'documents.read', 'documents.write', 'secrets.write'],
  openCredentialStore,
);

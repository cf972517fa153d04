import { absent } from '../db/condition.ts';
import { openTable } from '../db/table.ts';
import { documentsWrite } from '../documents/index.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { seal } from '../kernel/seal.ts';
import { dueAt, dueAttributes, neverLeased } from './due.ts';
import {
  type ConnectionAddress,
  connectionKey,
  connectionPartition,
  type ConnectionRecord,
  toConnectionRecord,
} from './record.ts';
import type { ConnectorStatus } from './schemas.ts';
import type { ConnectorScope } from './scope.ts';

export interface ConnectionReader {
  /** Null where there is none, or not any more. */
  get(address: ConnectionAddress): Promise<ConnectionRecord | null>;
  /** All of an index, newest first. */
  list(organizationId: string, indexId: string): Promise<readonly ConnectionRecord[]>;
}

/** What a caller may change of a connection; a new status takes the last error away, a scope begins the sync anew. */
export interface ConnectionChange {
  readonly status: ConnectorStatus;
  readonly scope?: ConnectorScope;
  /** Whether the sync begins anew without that. */
  readonly anew?: boolean;
  /** Whether documents that failed are tried anew, as they are with a scope. */
  readonly retries?: boolean;
}

export interface ConnectionChanger extends ConnectionReader {
  /**
   * The connection after the change; null where it is gone or its status is no longer `from`. One that is `syncing` is due
   * at once, one that is `active` as before, any other not at all.
   */
  change(address: ConnectionAddress, from: ConnectorStatus, change: ConnectionChange): Promise<ConnectionRecord | null>;
}

/**
 * Makes and removes connections with what opens their sources.
 *
 * All that a caller says of a source, credentials and addresses alike, is kept in two halves: sealed (AES-256-GCM, bound to
 * the connection) in the record, and the key of that one record in the table `secrets`, which no function of the API can
 * get anything from. Removing the key comes first when a connection is removed, so nothing is ever left that opens it.
 */
export interface ConnectionKeeper extends ConnectionReader {
  /** Stores a connection; without effect where it is there already. `key`: 32 random bytes. */
  add(connection: ConnectionRecord, source: unknown, key: Buffer): Promise<void>;
  /** Forgets what opens the source and leaves the rest to the syncs, which remove its content; false where there is none. */
  remove(address: ConnectionAddress): Promise<boolean>;
  /** Forgets every connection of an index, with what is known of its documents. */
  removeAll(organizationId: string, indexId: string): Promise<void>;
}

const standing = { pk: { exists: true }, deleted_at: { exists: false } } as const;

const openConnectionReader = (runtime: Runtime): ConnectionReader => {
  const table = openTable(runtime, 'connectors');
  return {
    get: async (address) => {
      const item = await table.get(connectionKey(address));
      return item === null || item['deleted_at'] !== undefined ? null : toConnectionRecord(item);
    },
    list: async (organizationId, indexId) => {
      const connections: ConnectionRecord[] = [];
      const all = table.all(connectionPartition(organizationId, indexId), { prefix: 'conn_', newestFirst: true });
      for await (const item of all) if (item['deleted_at'] === undefined) connections.push(toConnectionRecord(item));
      return connections;
    },
  };
};

/** What a new sync must not take over from one of another scope. */
const progress = ['state', 'sweeping', 'incomplete', 'retries', 'waits', 'problems', 'unread'] as const;

const openConnectionChanger = (runtime: Runtime): ConnectionChanger => {
  const table = openTable(runtime, 'connectors');
  return {
    ...openConnectionReader(runtime),
    change: async (address, from, { status, scope, anew = false, retries = false }) => {
      const now = runtime.clock.now();
      const beginsAnew = anew || scope !== undefined;
      const item = await table.update(connectionKey(address), {
        set: {
          status,
          scope,
          tries_from: retries || scope !== undefined ? now.toISOString() : undefined,
          ...(status === 'syncing' ? { ...dueAt(now), failures: 0 } : {}),
        },
        // A sync that was interrupted has marked what it saw with its generation already.
        add: { revision: 1, ...(beginsAnew ? { generation: 1 } : {}) },
        remove: [
          ...(status === from ? [] : ['error']),
          ...(beginsAnew ? progress : []),
          ...(status === 'syncing' || status === 'active' ? [] : dueAttributes),
        ],
        condition: { ...standing, status: { eq: from } },
      });
      return item === null ? null : toConnectionRecord(item);
    },
  };
};

const addressOf = ({ organizationId, indexId, id }: ConnectionRecord): ConnectionAddress => ({
  organizationId,
  indexId,
  connectionId: id,
});

const openConnectionKeeper = (runtime: Runtime): ConnectionKeeper => {
  const table = openTable(runtime, 'connectors');
  const secrets = openTable(runtime, 'secrets');
  const documents = documentsWrite.make(runtime);
  return {
    ...openConnectionReader(runtime),
    add: async (connection, source, key) => {
      const address = addressOf(connection);
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
        ...neverLeased,
        ...(connection.status === 'syncing' ? dueAt(new Date(connection.createdAt)) : {}),
      };
      await table.put(item, absent);
    },
    remove: async (address) => {
      await secrets.delete(connectionKey(address));
      const now = runtime.clock.now();
      const set = { deleted_at: now.toISOString(), ...dueAt(now) };
      return (await table.update(connectionKey(address), { set, add: { revision: 1 }, condition: standing })) !== null;
    },
    removeAll: async (organizationId, indexId) => {
      for await (const { pk, sk } of table.all(connectionPartition(organizationId, indexId))) {
        await secrets.delete({ pk, sk });
        await documents.clear({ organizationId, indexId, sourceId: sk });
        await table.delete({ pk, sk });
      }
    },
  };
};

export const connectorsRead = capability<ConnectionReader>(['connectors.read'], openConnectionReader);
export const connectorsChange = capability<ConnectionChanger>(
  ['connectors.read', 'connectors.write'],
  openConnectionChanger,
);
export const connectorsKeep = capability<ConnectionKeeper>(
  ['connectors.read', 'connectors.write', 'documents.read', 'documents.write', 'secrets.write'],
  openConnectionKeeper,
);

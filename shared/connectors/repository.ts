import { present } from '../db/condition.ts';
import type { Change } from '../db/contracts.ts';
import { dueAttributes, dueBy } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import type { JsonObject } from '../kernel/json.ts';
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
  /** Null if it does not exist or is deleted. */
  get(address: ConnectionAddress): Promise<ConnectionRecord | null>;
  /** Returns all connections of an index, newest first. */
  list(organizationId: string, indexId: string): Promise<readonly ConnectionRecord[]>;
}

/** Changes that a caller may make. A new status clears the last error; a scope restarts the sync. */
export interface ConnectionChange {
  readonly status: ConnectorStatus;
  readonly scope?: ConnectorScope;
  /** Whether the sync restarts without a new scope. */
  readonly anew?: boolean;
  /** Whether failed documents are retried, as with a new scope. */
  readonly retries?: boolean;
  /** Whether a connection in sync begins an incremental sync. */
  readonly requested?: boolean;
  readonly metadata?: JsonObject;
}

/** Settings of a connection that a running sync need not restart for; absent ones stay. */
export interface ConnectionSettings {
  readonly name?: string;
  /** Null: the default interval. */
  readonly syncIntervalMinutes?: number | null;
  /** When the next sync is due; absent: as before. */
  readonly dueAt?: Date;
}

export interface ConnectionChanger extends ConnectionReader {
  /**
   * Changes a connection. Null if it does not exist or its status is no longer `from`.
   * A `syncing` connection is due at once, an `active` one as before, any other never.
   */
  change(address: ConnectionAddress, from: ConnectorStatus, change: ConnectionChange): Promise<ConnectionRecord | null>;
  /** Changes settings. Null if the connection does not exist or its status is no longer `from`. */
  configure(
    address: ConnectionAddress,
    from: ConnectorStatus,
    settings: ConnectionSettings,
  ): Promise<ConnectionRecord | null>;
}

export const notDeleted = { ...present, deleted_at: { exists: false } } as const;

export const openConnectionReader = (runtime: Runtime): ConnectionReader => {
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

/** Attributes of the sync progress, which a sync of another scope must not reuse. */
const progress = ['state', 'sweeping', 'incomplete', 'retries', 'waits', 'unread'] as const;

/** Returns the update of a connection whose status is `from`. */
export const changeOf = (
  { organizationId }: ConnectionAddress,
  from: ConnectorStatus,
  { status, scope, anew = false, retries = false, requested = false, metadata }: ConnectionChange,
  now: Date,
): Change => {
  const beginsAnew = anew || scope !== undefined;
  return {
    set: {
      status,
      scope,
      metadata: metadata === undefined ? undefined : JSON.stringify(metadata),
      requested: requested || undefined,
      tries_from: retries || scope !== undefined ? now.toISOString() : undefined,
      ...(status === 'syncing' ? { ...dueBy('syncs', organizationId, now), failures: 0 } : {}),
    },
    // An interrupted sync has already marked documents with its generation.
    add: { revision: 1, ...(beginsAnew ? { generation: 1 } : {}) },
    remove: [
      ...(status === from ? [] : ['error']),
      ...(beginsAnew ? progress : []),
      ...(status === 'syncing' || status === 'active' ? [] : dueAttributes),
    ],
    condition: { ...notDeleted, status: { eq: from } },
  };
};

const openConnectionChanger = (runtime: Runtime): ConnectionChanger => {
  const table = openTable(runtime, 'connectors');
  return {
    ...openConnectionReader(runtime),
    change: async (address, from, change) => {
      const item = await table.update(connectionKey(address), changeOf(address, from, change, runtime.clock.now()));
      return item === null ? null : toConnectionRecord(item);
    },
    configure: async (address, from, { name, syncIntervalMinutes, dueAt }) => {
      const item = await table.update(connectionKey(address), {
        set: {
          name,
          sync_interval_minutes: syncIntervalMinutes ?? undefined,
          ...(dueAt === undefined ? {} : dueBy('syncs', address.organizationId, dueAt)),
        },
        remove: syncIntervalMinutes === null ? ['sync_interval_minutes'] : [],
        condition: { ...notDeleted, status: { eq: from } },
      });
      return item === null ? null : toConnectionRecord(item);
    },
  };
};

export const connectorsRead = capability<ConnectionReader>(['connectors.read'], openConnectionReader);
export const connectorsChange = capability<ConnectionChanger>(
  ['connectors.read', 'connectors.write'],
  openConnectionChanger,
);

import { present } from '../db/condition.ts';
import type { Change } from '../db/contracts.ts';
import { dueAttributes, dueBy } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
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

export const standing = { ...present, deleted_at: { exists: false } } as const;

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

/** What a new sync must not take over from one of another scope. */
const progress = ['state', 'sweeping', 'incomplete', 'retries', 'waits', 'unread'] as const;

/** What a change makes of the record of a connection whose status is `from`. */
export const changeOf = (
  { organizationId }: ConnectionAddress,
  from: ConnectorStatus,
  { status, scope, anew = false, retries = false }: ConnectionChange,
  now: Date,
): Change => {
  const beginsAnew = anew || scope !== undefined;
  return {
    set: {
      status,
      scope,
      tries_from: retries || scope !== undefined ? now.toISOString() : undefined,
      ...(status === 'syncing' ? { ...dueBy('syncs', organizationId, now), failures: 0 } : {}),
    },
    // A sync that was interrupted has marked what it saw with its generation already.
    add: { revision: 1, ...(beginsAnew ? { generation: 1 } : {}) },
    remove: [
      ...(status === from ? [] : ['error']),
      ...(beginsAnew ? progress : []),
      ...(status === 'syncing' || status === 'active' ? [] : dueAttributes),
    ],
    condition: { ...standing, status: { eq: from } },
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
  };
};

export const connectorsRead = capability<ConnectionReader>(['connectors.read'], openConnectionReader);
export const connectorsChange = capability<ConnectionChanger>(
  ['connectors.read', 'connectors.write'],
  openConnectionChanger,
);

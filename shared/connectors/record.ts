import type { Item } from '../db/table.ts';
import type { ConnectorProvider, ConnectorStatus } from './schemas.ts';
import type { ConnectorScope } from './scope.ts';

/** Where a connection is kept. */
export interface ConnectionAddress {
  readonly organizationId: string;
  readonly indexId: string;
  readonly connectionId: string;
}

/** A connection as it is kept, but for what opens its source. */
export interface ConnectionRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly indexId: string;
  readonly provider: ConnectorProvider;
  readonly name: string;
  readonly status: ConnectorStatus;
  readonly scope: ConnectorScope;
  /** Null: as often as the provider is read by default. */
  readonly syncIntervalMinutes: number | null;
  readonly documents: number;
  readonly lastSyncedAt: string | null;
  readonly error: string | null;
  readonly createdAt: string;
}

export const connectionPartition = (organizationId: string, indexId: string): string =>
  `INDEX#${organizationId}#${indexId}`;

export const connectionKey = ({ organizationId, indexId, connectionId }: ConnectionAddress) => ({
  pk: connectionPartition(organizationId, indexId),
  sk: connectionId,
});

export const toConnectionRecord = (item: Item): ConnectionRecord => ({
  id: item.sk,
  organizationId: item['organization_id'] as string,
  indexId: item['index_id'] as string,
  provider: item['provider'] as ConnectorProvider,
  name: item['name'] as string,
  status: item['status'] as ConnectorStatus,
  scope: item['scope'] as unknown as ConnectorScope,
  syncIntervalMinutes: (item['sync_interval_minutes'] as number | undefined) ?? null,
  documents: (item['documents'] as number | undefined) ?? 0,
  lastSyncedAt: (item['last_synced_at'] as string | undefined) ?? null,
  error: (item['error'] as string | undefined) ?? null,
  createdAt: item['created_at'] as string,
});

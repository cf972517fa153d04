import type { AuditedResource } from '../http/audit.ts';
import type { Principal } from '../http/principal.ts';
import type { ConnectionReader } from './repository.ts';
import type * as z from 'zod';
import type { ConnectionRecord } from './record.ts';
import {
  type ConnectorChange,
  type ConnectorOverview,
  type ConnectorProvider,
  connectorProviders,
  type ConnectorResponse,
} from './schemas.ts';

/** Minutes between two syncs of a connection without an interval of its own. */
const defaultIntervalMinutes = 30;

/** Returns the minutes between two syncs. */
export const intervalOf = ({ syncIntervalMinutes }: Pick<ConnectionRecord, 'syncIntervalMinutes'>): number =>
  syncIntervalMinutes ?? defaultIntervalMinutes;

/** Returns the API representation of a connection. */
export const toConnectorResponse = (connection: ConnectionRecord): z.input<typeof ConnectorResponse> => ({
  id: connection.id,
  provider: connection.provider,
  name: connection.name,
  status: connection.status,
  scope: connection.scope,
  stored_credentials: connection.storedCredentials,
  last_synced_at: connection.lastSyncedAt,
  documents: connection.documents,
  unread_items: connection.unreadItems,
  error: connection.error,
  metadata: connection.metadata,
  sync_interval_minutes: intervalOf(connection),
  next_sync_at: connection.nextSyncAt,
  sync:
    connection.sync === null
      ? null
      : {
          id: connection.sync.id,
          started_at: connection.sync.startedAt,
          items: connection.sync.items,
          bytes: connection.sync.bytes,
        },
  created_at: connection.createdAt,
});

/** Returns the connections of an index and the available providers. */
export const toConnectorOverview = (connections: readonly ConnectionRecord[]): z.input<typeof ConnectorOverview> => ({
  connectors: connections.map(toConnectorResponse),
  available: (Object.keys(connectorProviders) as ConnectorProvider[]).map((provider) => ({
    provider,
    name: connectorProviders[provider],
    connected: connections.some((connection) => connection.provider === provider),
  })),
});

/** Returns the response to a change of a connection. */
export const toAcknowledgement = ({ id, status }: ConnectionRecord): z.input<typeof ConnectorChange> => ({
  connection_id: id,
  status,
});

interface AuditedCall {
  readonly caller: Principal;
  readonly path: { readonly index_id: string; readonly connection_id: string };
  readonly deps: { readonly connectors: Pick<ConnectionReader, 'get'> };
}

/** Returns the connector of a path for the audit log. */
export const auditedConnector = async ({ caller, path, deps }: AuditedCall): Promise<AuditedResource> => {
  const { index_id: indexId, connection_id: id } = path;
  const found = await deps.connectors.get({ organizationId: caller.organizationId, indexId, connectionId: id });
  return { id, name: found?.name ?? null };
};

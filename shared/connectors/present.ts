import type * as z from 'zod';
import type { ConnectionRecord } from './record.ts';
import {
  type ConnectorChange,
  type ConnectorOverview,
  type ConnectorProvider,
  connectorProviders,
  type ConnectorResponse,
} from './schemas.ts';

/** Returns the API representation of a connection. */
export const toConnectorResponse = (connection: ConnectionRecord): z.input<typeof ConnectorResponse> => ({
  id: connection.id,
  provider: connection.provider,
  name: connection.name,
  status: connection.status,
  scope: connection.scope,
  last_synced_at: connection.lastSyncedAt,
  documents: connection.documents,
  error: connection.error,
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

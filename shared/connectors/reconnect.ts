import { randomBytes } from 'node:crypto';
import type { IndexReader } from '../indexes/index.ts';
import { requireIndex } from '../indexes/index.ts';
import { AppError, notFound } from '../kernel/errors.ts';
import type { CredentialStore } from './credential-store.ts';
import type { SyncQueue } from './messages.ts';
import type { ConnectionAddress, ConnectionRecord } from './record.ts';
import type { ConnectionReader } from './repository.ts';
import { storedIn } from '../source-credentials/index.ts';
import { type ConnectorProvider, connectorProviders } from './schemas.ts';

/** Returns a connection of an index. Throws 404. */
export const requireConnector = async (
  deps: { readonly indexes: IndexReader; readonly connectors: ConnectionReader },
  address: ConnectionAddress,
): Promise<ConnectionRecord> => {
  await requireIndex(deps.indexes, address.organizationId, address.indexId);
  const connection = await deps.connectors.get(address);
  if (connection === null) throw notFound('Connector');
  return connection;
};

/** Returns a connection of a provider. Throws 404, and 409 if it reads another provider. */
export const requireConnection = async (
  connectors: ConnectionReader,
  address: ConnectionAddress,
  provider: ConnectorProvider,
): Promise<ConnectionRecord> => {
  const connection = await connectors.get(address);
  if (connection === null) throw notFound('Connector');
  if (connection.provider === provider) return connection;
  throw new AppError('conflict', `The connector reads ${connectorProviders[connection.provider]}`);
};

/** Status of a connection after its credentials were replaced. */
const statusAfter = ({ status }: ConnectionRecord): ConnectionRecord['status'] =>
  status === 'paused' || status === 'pending_scope' ? status : 'syncing';

/**
 * Replaces the credentials of a connection. Scope and documents stay.
 * Everything in scope is read again, since the new credentials may have other access.
 * Throws 404, and 409 if the connection reads another provider.
 */
export const reconnect = async (
  deps: { readonly indexes: IndexReader; readonly connectors: CredentialStore; readonly syncs: SyncQueue },
  address: ConnectionAddress,
  provider: ConnectorProvider,
  source: object,
): Promise<ConnectionRecord> => {
  await requireIndex(deps.indexes, address.organizationId, address.indexId);
  const storedCredentials = storedIn(source);
  for (;;) {
    const connection = await requireConnection(deps.connectors, address, provider);
    const [from, status] = [connection.status, statusAfter(connection)];
    const replacement = { from, status, source, storedCredentials, key: randomBytes(32) };
    const opened = await deps.connectors.replaceCredentials(address, replacement);
    if (opened === null) continue;
    if (opened.status === 'syncing') await deps.syncs.send(address);
    return opened;
  }
};

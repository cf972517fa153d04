import { capability, type Deps } from '../kernel/capability.ts';
import { AppError } from '../kernel/errors.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { indexesRead, requireIndex } from '../indexes/index.ts';
import type { CustomApiCreate } from './custom-api.ts';
import { syncSend } from './messages.ts';
import type { ConnectionRecord } from './record.ts';
import { credentialStore } from './credential-store.ts';
import type { ConnectorCreate } from './schemas.ts';
import { noScope } from './scope.ts';

/** What connecting a source may touch. */
export const createConnectorUses = {
  indexes: indexesRead,
  connectors: credentialStore,
  syncs: syncSend,
  allowLocal: capability<boolean>([], ({ config }) => config.allowLocalWebhooks),
};

interface Start {
  readonly deps: Pick<Deps<typeof createConnectorUses>, 'indexes' | 'connectors'>;
  readonly caller: Pick<Principal, 'organizationId'>;
  readonly idempotency: IdempotencyContext;
}

/** An overview shows all connections of an index at once, each with up to 40 KiB of scope. */
const maxConnections = 100;

const tooMany = (): AppError => new AppError('conflict', `An index may have ${maxConnections} connectors at most`);

type Named = Pick<ConnectionRecord, 'provider' | 'name' | 'status' | 'syncIntervalMinutes'>;

/** Stores a connection under the id of the creation; a repeat changes nothing. Throws 404 and 409. */
export const addConnection = async (
  { deps, caller, idempotency }: Start,
  indexId: string,
  named: Named,
  source: unknown,
): Promise<ConnectionRecord> => {
  const { organizationId } = caller;
  await requireIndex(deps.indexes, organizationId, indexId);
  const id = idempotency.id('conn');
  const others = (await deps.connectors.list(organizationId, indexId)).filter((connection) => connection.id !== id);
  if (others.length >= maxConnections) throw tooMany();
  const connection: ConnectionRecord = {
    ...named,
    id,
    organizationId,
    indexId,
    scope: noScope,
    documents: 0,
    lastSyncedAt: null,
    error: null,
    createdAt: idempotency.at.toISOString(),
  };
  if (!(await deps.connectors.add(connection, source, idempotency.secret()))) return connection;
  // Whoever raced past the first count sees the others now and gives way: of those that stay, the last to come saw all.
  if ((await deps.connectors.list(organizationId, indexId)).length > maxConnections) {
    await deps.connectors.remove({ organizationId, indexId, connectionId: id });
    throw tooMany();
  }
  return connection;
};

/** Connects a provider; nothing is read until a scope says what. Throws 404 and 409. */
export const createConnector = (start: Start, indexId: string, body: ConnectorCreate): Promise<ConnectionRecord> => {
  const { provider, name, credentials } = body;
  const named = { provider, name, status: 'pending_scope', syncIntervalMinutes: null } as const;
  return addConnection(start, indexId, named, { credentials });
};

/** Connects an API that the caller describes; all of it is in scope, so its first sync is due. Throws 404 and 409. */
export const createCustomApi = async (
  start: Start & { readonly deps: Deps<typeof createConnectorUses> },
  indexId: string,
  body: CustomApiCreate,
): Promise<ConnectionRecord> => {
  const { name, sync_interval_minutes: syncIntervalMinutes, ...source } = body;
  const named = { provider: 'custom_api', name, status: 'syncing', syncIntervalMinutes } as const;
  const connection = await addConnection(start, indexId, named, source);
  const { organizationId, id: connectionId } = connection;
  await start.deps.syncs.send({ organizationId, indexId, connectionId });
  return connection;
};

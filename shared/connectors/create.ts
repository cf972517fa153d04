import { capability, type Deps } from '../kernel/capability.ts';
import { AppError, type ValidationProblem } from '../kernel/errors.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { indexesRead, requireIndex } from '../indexes/index.ts';
import { type CustomApiCreate, endpointProblems } from './custom-api.ts';
import { syncSend } from './messages.ts';
import type { ConnectionRecord } from './record.ts';
import { credentialStore } from './credential-store.ts';
import type { ConnectorCreate } from './creation-schemas.ts';
import { noScope } from './no-scope.ts';
import { prefixProblems } from './scope.ts';
import { requireStored, storedCredentialsUse, storedIn } from '../source-credentials/index.ts';
import { withStoredCredentials } from './stored-credentials.ts';

/** Capabilities that creating a connection needs. */
export const createConnectorUses = {
  indexes: indexesRead,
  connectors: credentialStore,
  syncs: syncSend,
  stored: storedCredentialsUse,
  allowLocal: capability<boolean>([], ({ config }) => config.allowLocalWebhooks),
};

interface Start {
  readonly deps: Pick<Deps<typeof createConnectorUses>, 'indexes' | 'connectors'>;
  readonly caller: Pick<Principal, 'organizationId'>;
  readonly idempotency: IdempotencyContext;
}

/** Maximum number of connections of an index. An overview returns all of them, each with up to 40 KiB of scope. */
const maxConnections = 100;

const tooMany = (): AppError => new AppError('conflict', `An index may have at most ${maxConnections} connectors`);

type Named = Pick<
  ConnectionRecord,
  'provider' | 'name' | 'status' | 'syncIntervalMinutes' | 'metadata' | 'scope' | 'storedCredentials'
>;

/** Stores a connection under the idempotent id of the request; a retry changes nothing. Throws 404 and 409. */
export const addConnection = async (
  { deps, caller, idempotency }: Start,
  indexId: string,
  named: Named,
  source: unknown,
  id = idempotency.id('conn'),
): Promise<ConnectionRecord> => {
  const { organizationId } = caller;
  await requireIndex(deps.indexes, organizationId, indexId);
  const others = (await deps.connectors.list(organizationId, indexId)).filter((connection) => connection.id !== id);
  if (others.length >= maxConnections) throw tooMany();
  const connection: ConnectionRecord = {
    ...named,
    id,
    organizationId,
    indexId,
    documents: 0,
    unreadItems: 0,
    nextSyncAt: named.status === 'syncing' ? idempotency.at.toISOString() : null,
    sync: null,
    lastSyncedAt: null,
    error: null,
    createdAt: idempotency.at.toISOString(),
  };
  if (!(await deps.connectors.add(connection, source, idempotency.secret()))) return connection;
  // Concurrent requests may pass the first count. Each counts again and is removed above the maximum.
  if ((await deps.connectors.list(organizationId, indexId)).length > maxConnections) {
    await deps.connectors.remove({ organizationId, indexId, connectionId: id });
    throw tooMany();
  }
  return connection;
};

type SyncingStart = Start & {
  readonly deps: Deps<typeof createConnectorUses>;
  readonly caller: Pick<Principal, 'organizationId' | 'indexIds'>;
};

/** Stores a connection and starts its first sync, if it has a scope. */
const addAndSync = async (
  start: SyncingStart,
  indexId: string,
  named: Named,
  source: unknown,
  id?: string,
): Promise<ConnectionRecord> => {
  const connection = await addConnection(start, indexId, named, source, id);
  const { organizationId, id: connectionId } = connection;
  if (named.status === 'syncing') await start.deps.syncs.send({ organizationId, indexId, connectionId });
  return connection;
};

/** Returns the problems of a new connection that its schema does not find. */
export const connectorProblems = (
  body: Partial<ConnectorCreate>,
  allowLocal: boolean,
): readonly ValidationProblem[] => [
  ...(body.scope == null ? [] : prefixProblems(body.provider ?? '', body.scope, ['body', 'scope'])),
  ...endpointProblems(body, allowLocal),
];

/**
 * Creates a connection to a provider. Without a scope nothing is read until one is set. Throws 404 and 409.
 */
export const createConnector = async (
  start: SyncingStart,
  indexId: string,
  body: ConnectorCreate,
): Promise<ConnectionRecord> => {
  const { provider, name, scope, metadata, sync_interval_minutes: syncIntervalMinutes, ...source } = body;
  const status = scope === null ? 'pending_scope' : 'syncing';
  const stored = storedIn(body);
  const settings = { syncIntervalMinutes, metadata, scope: scope ?? noScope, storedCredentials: stored };
  const named = { provider, name, status, ...settings } as const;
  if (stored === null) return addAndSync(start, indexId, named, source);
  const { deps, caller, idempotency } = start;
  const { organizationId } = caller;
  await requireStored(deps.stored, caller, provider, stored);
  const user = { indexId, connectionId: idempotency.id('conn') };
  const add = () => addAndSync(start, indexId, named, source, user.connectionId);
  const undo = () => deps.connectors.remove({ organizationId, ...user });
  return withStoredCredentials(deps, organizationId, { name: stored, user }, add, undo);
};

/**
 * Creates a connection to a custom API. All of it is in scope, so its first sync starts at once. Throws 404 and 409.
 */
export const createCustomApi = (
  start: SyncingStart,
  indexId: string,
  body: CustomApiCreate,
): Promise<ConnectionRecord> => {
  const { name, metadata, sync_interval_minutes: syncIntervalMinutes, ...source } = body;
  const settings = { syncIntervalMinutes, metadata, scope: noScope, storedCredentials: null };
  return addAndSync(start, indexId, { provider: 'custom_api', name, status: 'syncing', ...settings }, source);
};

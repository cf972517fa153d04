import { AppError, notFound } from '../kernel/errors.ts';
import { type IndexReader, requireIndex } from '../indexes/index.ts';
import type { SyncQueue } from './messages.ts';
import type { ConnectionAddress, ConnectionRecord } from './record.ts';
import type { ConnectionChange, ConnectionChanger } from './repository.ts';
import type { ConnectorStatus } from './schemas.ts';
import type { ConnectorScope } from './scope.ts';

interface ChangeDeps {
  readonly indexes: IndexReader;
  readonly connectors: ConnectionChanger;
  readonly syncs: SyncQueue;
}

/**
 * Applies the change that `decide` returns for the current status. Retries if the status changes meanwhile. Throws 404.
 */
const changeConnection = async (
  { indexes, connectors, syncs }: ChangeDeps,
  address: ConnectionAddress,
  decide: (connection: ConnectionRecord) => ConnectionChange,
): Promise<ConnectionRecord> => {
  await requireIndex(indexes, address.organizationId, address.indexId);
  for (;;) {
    const connection = await connectors.get(address);
    if (connection === null) throw notFound('Connector');
    const changed = await connectors.change(address, connection.status, decide(connection));
    if (changed === null) continue;
    if (changed.status === 'syncing') await syncs.send(address);
    return changed;
  }
};

/** Replaces the scope and starts a sync; a paused connection syncs when it is resumed. Throws 404. */
export const changeScope = (
  deps: ChangeDeps,
  address: ConnectionAddress,
  scope: ConnectorScope,
): Promise<ConnectionRecord> =>
  changeConnection(deps, address, ({ status }) => ({ status: status === 'paused' ? 'paused' : 'syncing', scope }));

const requireScope = (status: ConnectorStatus): void => {
  if (status === 'pending_scope') throw new AppError('conflict', 'The connector has no scope: set one first');
};

/**
 * Syncs a paused or failed connection again, and restarts one with unread items. Other connections stay unchanged.
 * Throws 404, and 409 without a scope.
 */
export const resumeConnection = (deps: ChangeDeps, address: ConnectionAddress): Promise<ConnectionRecord> =>
  changeConnection(deps, address, ({ status, error }) => {
    requireScope(status);
    if (status === 'active' && error === null) return { status };
    return { status: 'syncing', anew: status === 'active', retries: status !== 'syncing' };
  });

/** Stops syncing; indexed documents stay. Safe to repeat. Throws 404, and 409 without a scope. */
export const pauseConnection = (deps: ChangeDeps, address: ConnectionAddress): Promise<ConnectionRecord> =>
  changeConnection(deps, address, ({ status }) => {
    requireScope(status);
    return { status: 'paused' };
  });

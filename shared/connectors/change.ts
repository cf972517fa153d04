import { isDeepStrictEqual } from 'node:util';
import { laterBy } from '../kernel/clock.ts';
import { minuteMs } from '../kernel/durations.ts';
import { AppError, notFound, ValidationFailure } from '../kernel/errors.ts';
import { type IndexReader, requireIndex } from '../indexes/index.ts';
import type { SyncQueue } from './messages.ts';
import { intervalOf } from './present.ts';
import type { ConnectionAddress, ConnectionRecord } from './record.ts';
import type { ConnectionChange, ConnectionChanger } from './repository.ts';
import type { ConnectorStatus, ConnectorUpdate } from './schemas.ts';
import { type ConnectorScope, prefixProblems } from './scope.ts';

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
  decide: (connection: ConnectionRecord) => ConnectionChange | null,
): Promise<ConnectionRecord> => {
  await requireIndex(indexes, address.organizationId, address.indexId);
  for (;;) {
    const connection = await connectors.get(address);
    if (connection === null) throw notFound('Connector');
    const change = decide(connection);
    if (change === null) return connection;
    const changed = await connectors.change(address, connection.status, change);
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
  changeConnection(deps, address, ({ status, provider }) => {
    const problems = prefixProblems(provider, scope, ['body']);
    if (problems.length > 0) throw new ValidationFailure(problems);
    return { status: status === 'paused' ? 'paused' : 'syncing', scope };
  });

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

/**
 * Syncs a connection now. A running sync continues, and a connection that has stopped is resumed. Throws 404, and 409 if it
 * is paused or has no scope.
 */
export const syncConnection = (deps: ChangeDeps, address: ConnectionAddress): Promise<ConnectionRecord> =>
  changeConnection(deps, address, ({ status }) => {
    requireScope(status);
    if (status === 'paused') throw new AppError('conflict', 'The connector is paused: resume it');
    if (status === 'syncing') return null;
    return { status: 'syncing', requested: status === 'active', retries: status === 'error' };
  });

/** Changes name, interval and metadata. New metadata reads everything again, since every chunk has it. Throws 404. */
export const updateConnection = async (
  deps: ChangeDeps,
  address: ConnectionAddress,
  { name, metadata, sync_interval_minutes: syncIntervalMinutes }: ConnectorUpdate,
): Promise<ConnectionRecord> => {
  await requireIndex(deps.indexes, address.organizationId, address.indexId);
  for (;;) {
    const connection = await deps.connectors.get(address);
    if (connection === null) throw notFound('Connector');
    const { status, lastSyncedAt } = connection;
    const interval = intervalOf({ ...connection, syncIntervalMinutes: syncIntervalMinutes ?? null });
    const isDue = status === 'active' && syncIntervalMinutes !== undefined && lastSyncedAt !== null;
    const settings = {
      ...(name === undefined ? {} : { name }),
      ...(syncIntervalMinutes === undefined ? {} : { syncIntervalMinutes }),
      ...(isDue ? { dueAt: laterBy(new Date(lastSyncedAt), interval * minuteMs) } : {}),
    };
    const configured = await deps.connectors.configure(address, status, settings);
    if (configured === null) continue;
    if (metadata === undefined || isDeepStrictEqual(metadata, connection.metadata)) return configured;
    return changeConnection(deps, address, ({ status: now }) => ({
      status: now === 'active' || now === 'error' ? 'syncing' : now,
      metadata,
      anew: true,
    }));
  }
};

/** Stops syncing; indexed documents stay. Safe to repeat. Throws 404, and 409 without a scope. */
export const pauseConnection = (deps: ChangeDeps, address: ConnectionAddress): Promise<ConnectionRecord> =>
  changeConnection(deps, address, ({ status }) => {
    requireScope(status);
    return { status: 'paused' };
  });

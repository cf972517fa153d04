import { present } from '../db/condition.ts';
import { dueAttributes, dueBy, whereDueBy } from '../db/due.ts';
import type { Item } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { laterBy } from '../kernel/clock.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import type { JsonObject } from '../kernel/json.ts';
import { seal, unseal } from '../kernel/seal.ts';
import { storedCredentialsOpen } from '../source-credentials/index.ts';
import {
  type ConnectionAddress,
  connectionAddressAt,
  connectionKey,
  type PendingRemoval,
  type RunningSync,
  sourceKeyOf,
  type SyncRecord,
  toSyncRecord,
  unleased,
} from './record.ts';
import { notDeleted } from './repository.ts';
import { type ConnectorReports, openReports } from './sync-reports.ts';

/** A connection that one run has leased. */
export interface Claim {
  readonly address: ConnectionAddress;
  /** Id of the run. */
  readonly run: string;
  readonly record: SyncRecord;
}

/** Changes of a connection after a step or run; absent fields stay unchanged. */
export interface Progress {
  readonly status?: 'syncing' | 'active' | 'error';
  readonly state?: JsonObject | null;
  readonly generation?: number;
  readonly removesUnseen?: boolean;
  readonly incomplete?: boolean;
  readonly retries?: number;
  readonly failures?: number;
  readonly waits?: number;
  readonly stalePages?: number;
  readonly pendingRemoval?: PendingRemoval | null;
  readonly unread?: readonly string[];
  /** False once the requested sync has begun. */
  readonly requested?: false;
  /** Null: no sync is running. */
  readonly sync?: RunningSync | null;
  readonly documents?: number;
  readonly lastSyncedAt?: string;
  readonly fullAt?: string;
  readonly error?: string | null;
}

export interface SyncStore {
  /** Returns a connection without a lease; null if it does not exist or is deleted. */
  find(address: ConnectionAddress): Promise<Claim | null>;
  /** Leases a connection, due or not, to refresh its credentials. Null if another run has it. `abandon` releases it. */
  lease(address: ConnectionAddress, run: string, leaseSeconds: number): Promise<Claim | null>;
  /**
   * Leases a connection that is due; null if it is not due or another run has it.
   * Each claim counts as a failure until the run makes progress.
   */
  claim(address: ConnectionAddress, run: string, leaseSeconds: number): Promise<Claim | null>;
  /** Saves progress. Null if a caller has changed the connection or the lease has expired. */
  save(claim: Claim, progress: Progress): Promise<Claim | null>;
  /**
   * Saves progress and releases the lease. The connection is due at `next`, or never.
   * Returns false if a caller has changed it, which sets its own due time.
   */
  release(claim: Claim, progress: Progress, next: Date | null): Promise<boolean>;
  /** Releases the lease of a connection that a caller has changed. Returns false if it no longer exists. */
  abandon(claim: Claim): Promise<boolean>;
  /** Returns the decrypted credentials; null if they were deleted. */
  readCredentials(claim: Claim): Promise<JsonObject | null>;
  /** Stores refreshed credentials. */
  saveCredentials(claim: Claim, source: JsonObject): Promise<void>;
  /** Deletes the record of a deleted connection. */
  purge(claim: Claim): Promise<void>;
  /** What syncs have done and could not read. */
  readonly reports: ConnectorReports;
}

/** Finds connections that are due; reads no credentials. */
interface DueConnections {
  /** Connections that are due, longest waiting first. */
  due(limit: number): Promise<readonly ConnectionAddress[]>;
}

const attributesOf = (progress: Progress) => {
  const {
    state,
    removesUnseen,
    unread,
    lastSyncedAt,
    fullAt,
    error,
    stalePages,
    pendingRemoval,
    sync,
    requested,
    ...plain
  } = progress;
  return {
    set: {
      ...plain,
      ...(state === undefined ? {} : { state: JSON.stringify(state) }),
      ...(removesUnseen === undefined ? {} : { sweeping: removesUnseen }),
      ...(unread === undefined ? {} : { unread: unread.join('') }),
      ...(sync == null ? {} : { running_sync: JSON.stringify(sync) }),
      ...(lastSyncedAt === undefined ? {} : { last_synced_at: lastSyncedAt }),
      ...(fullAt === undefined ? {} : { full_at: fullAt }),
      ...(stalePages === undefined ? {} : { stale_pages: stalePages }),
      ...(pendingRemoval == null ? {} : { pending_removal: { ...pendingRemoval } }),
      ...(error == null ? {} : { error }),
    },
    remove: [
      ...(error === null ? ['error'] : []),
      ...(pendingRemoval === null ? ['pending_removal'] : []),
      ...(sync === null ? ['running_sync'] : []),
      ...(requested === false ? ['requested'] : []),
    ],
  };
};

/** Finds and leases connections whether they are due or not. */
const leases = (runtime: Runtime): Pick<SyncStore, 'find' | 'lease'> => {
  const table = openTable(runtime, 'connectors');
  return {
    find: async (address) => {
      const item = await table.get(connectionKey(address));
      const isGone = item === null || item['deleted_at'] !== undefined;
      return isGone ? null : { address, run: '', record: toSyncRecord(item) };
    },
    lease: async (address, run, leaseSeconds) => {
      const now = runtime.clock.now();
      const item = await table.update(connectionKey(address), {
        set: { run, leased_until: laterBy(now, leaseSeconds * 1000).toISOString() },
        condition: { ...notDeleted, leased_until: { lte: now.toISOString() } },
      });
      return item === null ? null : { address, run, record: toSyncRecord(item) };
    },
  };
};

const claims = (runtime: Runtime): Pick<SyncStore, 'claim' | 'save' | 'release' | 'abandon' | 'purge' | 'reports'> => {
  const table = openTable(runtime, 'connectors');
  const held = ({ run, record }: Claim) => ({ run: { eq: run }, revision: { eq: record.revision } }) as const;
  const reports = openReports(runtime);
  return {
    reports,
    claim: async (address, run, leaseSeconds) => {
      const now = runtime.clock.now();
      const until = laterBy(now, leaseSeconds * 1000);
      const item = await table.update(connectionKey(address), {
        set: { run, leased_until: until.toISOString(), ...dueBy('syncs', address.organizationId, until) },
        add: { failures: 1, revision: 0 },
        condition: { ...whereDueBy(address.organizationId, now), leased_until: { lte: now.toISOString() } },
      });
      return item === null ? null : { address, run, record: toSyncRecord(item) };
    },
    save: async (claim, progress) => {
      const change = { ...attributesOf(progress), condition: held(claim) };
      const item = await table.update(connectionKey(claim.address), change);
      return item === null ? null : { ...claim, record: toSyncRecord(item) };
    },
    release: async (claim, progress, next) => {
      const { set, remove } = attributesOf(progress);
      const item = await table.update(connectionKey(claim.address), {
        set: { ...set, ...unleased, ...(next === null ? {} : dueBy('syncs', claim.address.organizationId, next)) },
        remove: [...remove, 'run', ...(next === null ? dueAttributes : [])],
        condition: held(claim),
      });
      return item !== null;
    },
    abandon: async ({ address, run }) => {
      const change = { set: unleased, remove: ['run'], condition: { run: { eq: run } } } as const;
      return (await table.update(connectionKey(address), change)) !== null;
    },
    purge: async (claim) => {
      await reports.clear(claim.address);
      await table.delete(connectionKey(claim.address), held(claim));
    },
  };
};

const openDue = (runtime: Runtime): DueConnections => {
  const table = openTable(runtime, 'connectors');
  return {
    due: async (limit) => (await table.due('syncs', runtime.clock.now().toISOString(), limit)).map(connectionAddressAt),
  };
};

const contextOf = (address: ConnectionAddress): string => JSON.stringify(address);

const credentialAccess = (runtime: Runtime): Pick<SyncStore, 'readCredentials' | 'saveCredentials'> => {
  const table = openTable(runtime, 'connectors');
  const secrets = openTable(runtime, 'secrets');
  const stored = storedCredentialsOpen.make(runtime);
  const keyOf = async (item: Item): Promise<Buffer | null> => {
    const kept = await secrets.get(sourceKeyOf(item));
    return kept === null ? null : Buffer.from(kept['key'] as string, 'base64');
  };
  return {
    readCredentials: async ({ address }) => {
      const item = await table.get(connectionKey(address));
      const key = item === null ? null : await keyOf(item);
      if (key === null || item === null) return null;
      const source = JSON.parse(unseal(item['source'] as string, key, contextOf(address))) as JsonObject;
      const name = source['stored_credentials'];
      if (typeof name !== 'string') return source;
      const credentials = (await stored.open(address.organizationId, name)) as JsonObject | null;
      return credentials === null ? null : { ...source, credentials };
    },
    saveCredentials: async ({ address, record }, source) => {
      const item = await table.get(connectionKey(address));
      const key = item === null ? null : await keyOf(item);
      if (key === null || item === null) return;
      // Refreshed credentials are stored without a lease, since the provider has revoked the old ones.
      // Credentials that a caller has replaced meanwhile are kept.
      const { source_key: name } = item;
      if (name !== (record.sourceKey ?? undefined)) return;
      const set = { source: seal(JSON.stringify(source), key, contextOf(address)) };
      const same = name === undefined ? { exists: false } : { eq: name };
      await table.update(connectionKey(address), { set, condition: { ...present, source_key: same } });
    },
  };
};

/** Store of the sync worker: the only capability that decrypts credentials. */
export const connectorsSync = capability<SyncStore>(
  ['connectors.read', 'connectors.write', 'secrets.read'],
  (runtime) => ({ ...leases(runtime), ...claims(runtime), ...credentialAccess(runtime) }),
);
export const connectorsDue = capability<DueConnections>(['connectors.read'], openDue);

import type { Item, Key } from '../db/contracts.ts';
import { dueTimeOf } from '../db/due.ts';
import { flagOf, numberOf, textOf } from '../db/read-item.ts';
import { sealKeyOf, sealKeysOf } from '../db/sealed-field.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { ConnectorProvider, ConnectorStatus } from './schemas.ts';
import { noScope } from './no-scope.ts';
import type { ConnectorScope } from './scope.ts';

/** Ids that address a connection. */
export interface ConnectionAddress {
  readonly organizationId: string;
  readonly indexId: string;
  readonly connectionId: string;
}

/** A sync that has begun and not ended. */
export interface RunningSync {
  readonly id: string;
  readonly trigger: 'schedule' | 'request';
  /** Whether it reads everything in scope. */
  readonly isFull: boolean;
  readonly startedAt: string;
  /** Revision of the connection that it reads. A change of a caller interrupts it. */
  readonly revision: number;
  /** Documents of the connection before it. */
  readonly documentsBefore: number;
  /** Items that its steps have compared. */
  readonly items: number;
  /** Bytes of these items, as far as the source states sizes. */
  readonly bytes: number;
  /** How often the source lost the position of this sync; absent: never. */
  readonly restarts?: number;
}

/** A stored connection without its credentials. */
export interface ConnectionRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly indexId: string;
  readonly provider: ConnectorProvider;
  readonly name: string;
  readonly status: ConnectorStatus;
  readonly scope: ConnectorScope;
  /** Name of the stored credentials of the organization that it uses; null: it has its own. */
  readonly storedCredentials: string | null;
  /** Null: the default interval. */
  readonly syncIntervalMinutes: number | null;
  /** Metadata of the user, which every chunk has. */
  readonly metadata: JsonObject;
  readonly documents: number;
  /** Number of items and places that could not be read. */
  readonly unreadItems: number;
  /** When the next sync, or the next step of the running one, is due; null: never. */
  readonly nextSyncAt: string | null;
  readonly sync: RunningSync | null;
  readonly lastSyncedAt: string | null;
  readonly error: string | null;
  readonly createdAt: string;
}

/** An item or place that could not be read. */
export interface Unread {
  /** Digest of the id of a document or place, such as a channel or folder. */
  readonly id: string;
  /** Null if it is a place. */
  readonly documentId: string | null;
  /** Name for people; null if it has none. */
  readonly name: string | null;
  readonly message: string;
  /** Whether an earlier full read than the daily one retries it. */
  readonly isTransient: boolean;
}

/** Length of the digest of an unread item, enough to distinguish some thousands. */
export const unreadIdLength = 12;

/** Digests of unread items are stored as one text. */
const unreadIdsOf = (item: Item): readonly string[] =>
  textOf(item, 'unread')?.match(new RegExp(`.{${unreadIdLength}}`, 'g')) ?? [];

/** A removal that the next sync must confirm. */
export interface PendingRemoval {
  readonly unseen: number;
  readonly total: number;
}

/** A connection for its sync worker. */
export interface SyncRecord extends ConnectionRecord {
  /** Incremented by every change of a caller. */
  readonly revision: number;
  /** Name of the key of the credentials; null: the id of the connection. */
  readonly sourceKey: string | null;
  /** Whether the connection is deleted: its content is removed, and then its record. */
  readonly deleted: boolean;
  /** Sync state of the source; null for its beginning. */
  readonly state: JsonObject | null;
  /** Number of full reads. */
  readonly generation: number;
  /** Whether documents that the last full read did not see are being removed. Stored as `sweeping`. */
  readonly removesUnseen: boolean;
  /** Time of the last full read. */
  readonly fullAt: string | null;
  /** Whether some items can be read only by another full read. */
  readonly incomplete: boolean;
  /** Consecutive full reads for such items. */
  readonly retries: number;
  /** Runs since the last one that made progress. */
  readonly failures: number;
  /** Consecutive runs that waited for the content of an item and fetched nothing. */
  readonly waits: number;
  /** Digests of the items that could not be read since the last full read began, the latest last. */
  readonly unread: readonly string[];
  /** Whether a caller has requested a sync of a connection that was in sync. */
  readonly requested: boolean;
  /** Consecutive pages of the current read without a new id. */
  readonly stalePages: number;
  /**
   * More than half of all documents, which the last read did not see. They are removed if the next read confirms it.
   */
  readonly pendingRemoval: PendingRemoval | null;
  /** Time at which a caller last resumed the connection. Documents that failed earlier are retried. */
  readonly triesFrom: Date | null;
}

export const connectionPartition = (organizationId: string, indexId: string): string =>
  `INDEX#${organizationId}#${indexId}`;

export const connectionKey = ({ organizationId, indexId, connectionId }: ConnectionAddress) => ({
  pk: connectionPartition(organizationId, indexId),
  sk: connectionId,
});

/** Sealed field of a connection with its credentials. */
export const sourceField = 'source';

/** Returns the key of a connection's credential key in `secrets`. A connection names it once it was replaced. */
export const sourceKeyOf = (item: Item): Key => sealKeyOf(item, sourceField);

/** Returns every key in `secrets` that may exist for a connection. */
export const sourceKeysOf = (item: Item): readonly Key[] => sealKeysOf(item, sourceField);

export const toConnectionRecord = (item: Item): ConnectionRecord => ({
  id: item.sk,
  organizationId: item['organization_id'] as string,
  indexId: item['index_id'] as string,
  provider: item['provider'] as ConnectorProvider,
  name: item['name'] as string,
  status: item['status'] as ConnectorStatus,
  // An older record lacks newer fields.
  scope: { ...noScope, ...(item['scope'] as unknown as Partial<ConnectorScope>) },
  storedCredentials: textOf(item, 'stored_credentials'),
  syncIntervalMinutes: (item['sync_interval_minutes'] as number | undefined) ?? null,
  metadata: JSON.parse(textOf(item, 'metadata') ?? '{}') as JsonObject,
  documents: numberOf(item, 'documents'),
  unreadItems: unreadIdsOf(item).length,
  nextSyncAt: dueTimeOf(item),
  sync: JSON.parse(textOf(item, 'running_sync') ?? 'null') as RunningSync | null,
  lastSyncedAt: textOf(item, 'last_synced_at'),
  error: textOf(item, 'error'),
  createdAt: item['created_at'] as string,
});

export const toSyncRecord = (item: Item): SyncRecord => ({
  ...toConnectionRecord(item),
  revision: numberOf(item, 'revision'),
  sourceKey: textOf(item, 'source_key'),
  deleted: item['deleted_at'] !== undefined,
  // Stored as text, since the state may be nested in any way.
  state: JSON.parse(textOf(item, 'state') ?? 'null') as JsonObject | null,
  generation: numberOf(item, 'generation'),
  removesUnseen: flagOf(item, 'sweeping'),
  fullAt: textOf(item, 'full_at'),
  incomplete: flagOf(item, 'incomplete'),
  retries: numberOf(item, 'retries'),
  failures: numberOf(item, 'failures'),
  waits: numberOf(item, 'waits'),
  unread: unreadIdsOf(item),
  requested: flagOf(item, 'requested'),
  stalePages: numberOf(item, 'stale_pages'),
  pendingRemoval: (item['pending_removal'] as unknown as PendingRemoval | undefined) ?? null,
  triesFrom: item['tries_from'] === undefined ? null : new Date(item['tries_from'] as string),
});

/** Lease attributes of a connection that no run has leased. */
export const unleased = { leased_until: '0' } as const;

/** Returns the address of a connection by its key. */
export const connectionAddressAt = ({ pk, sk }: Key): ConnectionAddress => {
  const [, organizationId = '', indexId = ''] = pk.split('#');
  return { organizationId, indexId, connectionId: sk };
};

import { flagOf, membersOf, numberOf, textOf } from '../db/read-item.ts';
import type { Item, Key } from '../db/contracts.ts';
import type { JsonObject } from '../kernel/json.ts';
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

/** Something that could not be read. */
export interface Unread {
  /** A digest of the id of a document, or of the place: a channel, a folder. */
  readonly id: string;
  /** Null where others came after it. */
  readonly message: string | null;
}

/** A removal that the next sync has to confirm. */
export interface PendingRemoval {
  readonly unseen: number;
  readonly total: number;
}

/** A connection as its syncs see it. */
export interface SyncRecord extends ConnectionRecord {
  /** Changes with everything that a caller says of the connection. */
  readonly revision: number;
  /** Names the key to what opens the source; null: as the connection is named. */
  readonly sourceKey: string | null;
  /** Whether its content is to be removed, and then the connection. */
  readonly deleted: boolean;
  /** Where the source was left; null for the beginning. */
  readonly state: JsonObject | null;
  /** How often everything in scope was read from the beginning. */
  readonly generation: number;
  /** Whether what the last reading of everything has not seen is being removed. */
  readonly removesUnseen: boolean;
  /** When everything in scope was last read from the beginning. */
  readonly fullAt: string | null;
  /** Whether something is to be had only by reading everything again. */
  readonly incomplete: boolean;
  /** How often in a row everything was read again for that. */
  readonly retries: number;
  /** Runs since the last one that came further. */
  readonly failures: number;
  /** Runs in a row that the content of an item made wait and that fetched nothing. */
  readonly waits: number;
  /** What could not be read since everything was last read from the beginning, and not since then. */
  readonly unread: readonly Unread[];
  /** Pages in a row of the reading under way that named nothing new. */
  readonly stalePages: number;
  /** Documents that the last reading did not see, which were more than half of all and are removed if the next one agrees. */
  readonly pendingRemoval: PendingRemoval | null;
  /** When a caller last asked to go on; documents that failed before are tried anew. */
  readonly triesFrom: Date | null;
}

export const connectionPartition = (organizationId: string, indexId: string): string =>
  `INDEX#${organizationId}#${indexId}`;

export const connectionKey = ({ organizationId, indexId, connectionId }: ConnectionAddress) => ({
  pk: connectionPartition(organizationId, indexId),
  sk: connectionId,
});

/** Where the key to what opens the source of a connection is, which a connection names once it has been given another. */
export const sourceKeyOf = (item: Item) => ({ pk: item.pk, sk: textOf(item, 'source_key') ?? item.sk });

/** The same for every key that was ever made for a connection and may be there still. */
export const sourceKeysOf = (item: Item) => {
  const made = membersOf(item, 'source_keys');
  return [...new Set([item.sk, sourceKeyOf(item).sk, ...made])].map((sk) => ({ pk: item.pk, sk }));
};

export const toConnectionRecord = (item: Item): ConnectionRecord => ({
  id: item.sk,
  organizationId: item['organization_id'] as string,
  indexId: item['index_id'] as string,
  provider: item['provider'] as ConnectorProvider,
  name: item['name'] as string,
  status: item['status'] as ConnectorStatus,
  scope: item['scope'] as unknown as ConnectorScope,
  syncIntervalMinutes: (item['sync_interval_minutes'] as number | undefined) ?? null,
  documents: numberOf(item, 'documents'),
  lastSyncedAt: textOf(item, 'last_synced_at'),
  error: textOf(item, 'error'),
  createdAt: item['created_at'] as string,
});

export const toSyncRecord = (item: Item): SyncRecord => ({
  ...toConnectionRecord(item),
  revision: numberOf(item, 'revision'),
  sourceKey: textOf(item, 'source_key'),
  deleted: item['deleted_at'] !== undefined,
  // As text: what a source remembers may be nested in any way.
  state: JSON.parse(textOf(item, 'state') ?? 'null') as JsonObject | null,
  generation: numberOf(item, 'generation'),
  removesUnseen: flagOf(item, 'sweeping'),
  fullAt: textOf(item, 'full_at'),
  incomplete: flagOf(item, 'incomplete'),
  retries: numberOf(item, 'retries'),
  failures: numberOf(item, 'failures'),
  waits: numberOf(item, 'waits'),
  unread: (item['unread'] as unknown as readonly Unread[] | undefined) ?? [],
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

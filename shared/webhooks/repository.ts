import { present } from '../db/condition.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import {
  addTentative,
  attemptOf,
  countAttempts,
  type Counted,
  isAbandoned,
  keepTentative,
  withdrawTentative,
} from '../db/tentative.ts';
import { deleteCarrier, type EventRecorder } from '../events/index.ts';
import type { Runtime } from '../kernel/capability.ts';
import { keyOf, type PreviousSecret, toEndpoint, type WebhookEndpoint } from './record.ts';

/** What a delivery is signed with from `at` on. */
export interface SecretReplacement {
  /** As stored. */
  readonly secret: string;
  readonly previousSecrets: readonly PreviousSecret[];
  readonly at: Date;
}

/** The fields that an update may change; absent ones stay. */
export type EndpointChange = Partial<Pick<WebhookEndpoint, 'url' | 'eventTypes' | 'description' | 'disabledReason'>>;

/** Endpoints whose creation has come to its end: of no other anybody hears, and none receives anything. */
export interface WebhookReader {
  /** Whether `http://localhost…` is an address like any other. */
  readonly allowsLocal: boolean;
  get(organizationId: string, endpointId: string): Promise<WebhookEndpoint | null>;
  /** Newest first. */
  list(organizationId: string): Promise<readonly WebhookEndpoint[]>;
}

export interface WebhookWriter extends WebhookReader {
  /** How many there are; what a creation that died has left is taken back. */
  count(organizationId: string): Promise<Counted>;
  /** Whether an endpoint is stored, kept or not. */
  isStored(endpoint: WebhookEndpoint): Promise<boolean>;
  /**
   * Stores an endpoint by an attempt that is still to be kept. The attempt by which it is there tentatively; null where it
   * is kept already.
   */
  add(endpoint: WebhookEndpoint, attempt: string): Promise<string | null>;
  /** Keeps what an attempt stored. True also where it is kept already, false where it has been taken back. */
  keep(endpoint: WebhookEndpoint, attempt: string): Promise<boolean>;
  /** Takes back what an attempt stored. False where it is kept. */
  withdraw(endpoint: WebhookEndpoint, attempt: string): Promise<boolean>;
  /** The endpoint after the change; null where the organization has none of this id. */
  update(organizationId: string, endpointId: string, change: EndpointChange): Promise<WebhookEndpoint | null>;
  /** Gives an endpoint a new secret; null where it has got another since it was read, or is gone. */
  replaceSecret(endpoint: WebhookEndpoint, replacement: SecretReplacement): Promise<WebhookEndpoint | null>;
  /** False where the organization has none of this id. Throws 503 where an event of it cannot be recorded now. */
  remove(organizationId: string, endpointId: string, events: EventRecorder): Promise<boolean>;
}

const attributeOf = {
  url: 'url',
  eventTypes: 'event_types',
  description: 'description',
  disabledReason: 'disabled_reason',
} as const satisfies Record<keyof EndpointChange, string>;

/** Null is stored as absence. */
const changeOf = (change: EndpointChange) => {
  const entries = Object.entries(change).map(
    ([name, value]) => [attributeOf[name as keyof EndpointChange], value] as const,
  );
  return {
    set: Object.fromEntries(entries.filter(([, value]) => value != null)),
    remove: entries.filter(([, value]) => value === null).map(([attribute]) => attribute),
  };
};

const toItem = ({ url, eventTypes, description, disabledReason, ...endpoint }: WebhookEndpoint): Item => ({
  ...keyOf(endpoint.organizationId, endpoint.id),
  ...changeOf({ url, eventTypes, description, disabledReason }).set,
  secret: endpoint.storedSecret,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
  responsive_until: endpoint.responsiveUntil,
  probe_until: endpoint.probeUntil,
});

const kept = { tentative: { exists: false } } as const;

/** Takes back what was stored so long ago that nobody will keep it any more. False where it is still to be counted. */
const withdrawAbandoned = async (table: Table, item: Item, now: Date): Promise<boolean> => {
  const attempt = attemptOf(item);
  if (attempt === null || !isAbandoned(item['stored_at'] as string, now)) return false;
  return withdrawTentative(table, { pk: item.pk, sk: item.sk }, attempt);
};

const countEndpoints = async (table: Table, organizationId: string, now: Date): Promise<Counted> => {
  const items = await Array.fromAsync(table.all(`ORG#${organizationId}`, { prefix: 'we_' }));
  const withdrawn = await Promise.all(items.map((item) => withdrawAbandoned(table, item, now)));
  return countAttempts(items.filter((_, at) => withdrawn[at] !== true).map(attemptOf));
};

export const openWebhookReader = (runtime: Runtime): WebhookReader => {
  const table = openTable(runtime, 'webhooks');
  return {
    allowsLocal: runtime.config.allowLocalWebhooks,
    get: async (organizationId, endpointId) => {
      const item = await table.get(keyOf(organizationId, endpointId));
      return item === null || attemptOf(item) !== null ? null : toEndpoint(item);
    },
    list: (organizationId) =>
      Array.fromAsync(
        table.all(`ORG#${organizationId}`, { prefix: 'we_', newestFirst: true, where: kept }),
        toEndpoint,
      ),
  };
};

export const openWebhookWriter = (runtime: Runtime): WebhookWriter => {
  const table = openTable(runtime, 'webhooks');
  const now = (): string => runtime.clock.now().toISOString();
  return {
    ...openWebhookReader(runtime),
    count: (organizationId) => countEndpoints(table, organizationId, runtime.clock.now()),
    isStored: async ({ organizationId, id }) => (await table.get(keyOf(organizationId, id))) !== null,
    add: (endpoint, attempt) => addTentative(table, { ...toItem(endpoint), stored_at: now() }, attempt),
    keep: ({ organizationId, id }, attempt) => keepTentative(table, keyOf(organizationId, id), attempt),
    withdraw: ({ organizationId, id }, attempt) => withdrawTentative(table, keyOf(organizationId, id), attempt),
    update: async (organizationId, endpointId, change) => {
      const { set, remove } = changeOf(change);
      const at = now();
      // Of a receiver at another address nothing is known, and nobody has its turn.
      const unknown = change.url === undefined ? {} : { responsive_until: at, probe_until: at };
      // Whoever resumes or moves an endpoint begins anew: what failed before no longer counts.
      const anew = change.disabledReason === null || change.url !== undefined ? ['failing_since', 'silent'] : [];
      const item = await table.update(keyOf(organizationId, endpointId), {
        set: { ...set, ...unknown, updated_at: at },
        remove: [...remove, ...anew],
        condition: { ...present, ...kept },
      });
      return item === null ? null : toEndpoint(item);
    },
    replaceSecret: async (endpoint, { secret, previousSecrets, at }) => {
      const item = await table.update(keyOf(endpoint.organizationId, endpoint.id), {
        set: {
          secret,
          previous_secrets: previousSecrets.map((previous) => ({ ...previous })),
          updated_at: at.toISOString(),
        },
        condition: { secret: { eq: endpoint.storedSecret } },
      });
      return item === null ? null : toEndpoint(item);
    },
    remove: (organizationId, endpointId, events) =>
      deleteCarrier(table, events, organizationId, keyOf(organizationId, endpointId)),
  };
};

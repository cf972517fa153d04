import { present } from '../db/condition.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import {
  reserveItem,
  reservationOf,
  countReservations,
  type ReservationCount,
  isAbandoned,
  confirmReservation,
  cancelReservation,
} from '../db/reservation.ts';
import { deleteWithEvents, type EventRecorder } from '../events/index.ts';
import type { Runtime } from '../kernel/capability.ts';
import { keyOf, type PreviousSecret, toEndpoint, type WebhookEndpoint } from './record.ts';

/** Secrets that sign deliveries from `at` on. */
export interface SecretReplacement {
  /** Encrypted. */
  readonly secret: string;
  readonly previousSecrets: readonly PreviousSecret[];
  readonly at: Date;
}

/** Fields that an update may change. Absent fields stay. */
export type EndpointChange = Partial<Pick<WebhookEndpoint, 'url' | 'eventTypes' | 'description' | 'disabledReason'>>;

/** Reads confirmed endpoints. An endpoint that is only reserved is not visible and receives nothing. */
export interface WebhookReader {
  /** Whether the deployment delivers to `http://localhost…`. */
  readonly allowsLocal: boolean;
  get(organizationId: string, endpointId: string): Promise<WebhookEndpoint | null>;
  /** Newest first. */
  list(organizationId: string): Promise<readonly WebhookEndpoint[]>;
}

export interface WebhookWriter extends WebhookReader {
  /** Counts endpoints, and cancels reservations of creations that died. */
  count(organizationId: string): Promise<ReservationCount>;
  /** Whether an endpoint is stored, confirmed or not. */
  hasReserved(endpoint: WebhookEndpoint): Promise<boolean>;
  /** Stores an endpoint as reserved. Returns the reservation under which it is stored; null if it is confirmed already. */
  reserve(endpoint: WebhookEndpoint, reservation: string): Promise<string | null>;
  /** Confirms a reservation. True also if it is confirmed already; false if it was cancelled. */
  confirm(endpoint: WebhookEndpoint, reservation: string): Promise<boolean>;
  /** Cancels a reservation. False if it is confirmed. */
  cancel(endpoint: WebhookEndpoint, reservation: string): Promise<boolean>;
  /** Returns the endpoint after the change; null if the organization does not have it. */
  update(organizationId: string, endpointId: string, change: EndpointChange): Promise<WebhookEndpoint | null>;
  /** Replaces the secret of an endpoint. Null: the secret was replaced since it was read, or the endpoint is deleted. */
  replaceSecret(endpoint: WebhookEndpoint, replacement: SecretReplacement): Promise<WebhookEndpoint | null>;
  /** Deletes an endpoint. False: the organization does not have it. Throws 503 if its events cannot be recorded now. */
  remove(organizationId: string, endpointId: string, events: EventRecorder): Promise<boolean>;
}

const attributeOf = {
  url: 'url',
  eventTypes: 'event_types',
  description: 'description',
  disabledReason: 'disabled_reason',
} as const satisfies Record<keyof EndpointChange, string>;

/** Returns the stored form of a change. Null is stored as an absent attribute. */
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

const confirmed = { tentative: { exists: false } } as const;

/** Cancels a reservation that no request will confirm any more. Returns false if the item still counts. */
const cancelAbandoned = async (table: Table, item: Item, now: Date): Promise<boolean> => {
  const reservation = reservationOf(item);
  if (reservation === null || !isAbandoned(item['stored_at'] as string, now)) return false;
  return cancelReservation(table, { pk: item.pk, sk: item.sk }, reservation);
};

const countEndpoints = async (table: Table, organizationId: string, now: Date): Promise<ReservationCount> => {
  const items = await Array.fromAsync(table.all(`ORG#${organizationId}`, { prefix: 'we_' }));
  const cancelled = await Promise.all(items.map((item) => cancelAbandoned(table, item, now)));
  return countReservations(items.filter((_, at) => cancelled[at] !== true).map(reservationOf));
};

export const openWebhookReader = (runtime: Runtime): WebhookReader => {
  const table = openTable(runtime, 'webhooks');
  return {
    allowsLocal: runtime.config.allowLocalWebhooks,
    get: async (organizationId, endpointId) => {
      const item = await table.get(keyOf(organizationId, endpointId));
      return item === null || reservationOf(item) !== null ? null : toEndpoint(item);
    },
    list: (organizationId) =>
      Array.fromAsync(
        table.all(`ORG#${organizationId}`, { prefix: 'we_', newestFirst: true, where: confirmed }),
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
    hasReserved: async ({ organizationId, id }) => (await table.get(keyOf(organizationId, id))) !== null,
    reserve: (endpoint, reservation) => reserveItem(table, { ...toItem(endpoint), stored_at: now() }, reservation),
    confirm: ({ organizationId, id }, reservation) => confirmReservation(table, keyOf(organizationId, id), reservation),
    cancel: ({ organizationId, id }, reservation) => cancelReservation(table, keyOf(organizationId, id), reservation),
    update: async (organizationId, endpointId, change) => {
      const { set, remove } = changeOf(change);
      const at = now();
      // The receiver at a new URL is not known yet.
      const unknown = change.url === undefined ? {} : { responsive_until: at, probe_until: at };
      // Earlier failures do not count after an endpoint was resumed or got a new URL.
      const failures = change.disabledReason === null || change.url !== undefined ? ['failing_since', 'silent'] : [];
      const item = await table.update(keyOf(organizationId, endpointId), {
        set: { ...set, ...unknown, updated_at: at },
        remove: [...remove, ...failures],
        condition: { ...present, ...confirmed },
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
      deleteWithEvents(table, events, organizationId, keyOf(organizationId, endpointId)),
  };
};

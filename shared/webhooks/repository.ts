import { absent, present } from '../db/condition.ts';
import type { Item } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { type Added, limitedSet } from '../db/limited-set.ts';
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

/** Reads endpoints. */
export interface WebhookReader {
  /** Whether the deployment delivers to `http://localhost…`. */
  readonly allowsLocal: boolean;
  get(organizationId: string, endpointId: string): Promise<WebhookEndpoint | null>;
  /** Newest first. */
  list(organizationId: string): Promise<readonly WebhookEndpoint[]>;
}

export interface WebhookWriter extends WebhookReader {
  /** Stores an endpoint, unless there are as many as the limit. */
  add(endpoint: WebhookEndpoint, limit: number): Promise<Added>;
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

export const openWebhookReader = (runtime: Runtime): WebhookReader => {
  const table = openTable(runtime, 'webhooks');
  return {
    allowsLocal: runtime.config.allowLocalWebhooks,
    get: async (organizationId, endpointId) => {
      const item = await table.get(keyOf(organizationId, endpointId));
      return item === null ? null : toEndpoint(item);
    },
    list: (organizationId) =>
      Array.fromAsync(table.all(`ORG#${organizationId}`, { prefix: 'we_', newestFirst: true }), toEndpoint),
  };
};

export const openWebhookWriter = (runtime: Runtime): WebhookWriter => {
  const table = openTable(runtime, 'webhooks');
  const endpoints = limitedSet(table, 'webhook_endpoints');
  const now = (): string => runtime.clock.now().toISOString();
  return {
    ...openWebhookReader(runtime),
    add: (endpoint, limit) =>
      endpoints.add(endpoint.organizationId, limit, [{ put: toItem(endpoint), condition: absent }], () =>
        table.count(`ORG#${endpoint.organizationId}`, { prefix: 'we_' }),
      ),
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
        condition: present,
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

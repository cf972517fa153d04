import { type Item, openTable } from '../db/table.ts';
import type { Runtime } from '../kernel/capability.ts';
import type { EventType } from '../events/index.ts';
import type { DisabledReason } from './schemas.ts';

/** Where one organization receives events. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly organizationId: string;
  readonly url: string;
  /** Null: every type. */
  readonly eventTypes: readonly EventType[] | null;
  readonly description: string | null;
  /** Null while it receives. */
  readonly disabledReason: DisabledReason | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /**
   * `whsec_…`, kept readable because every delivery is signed with it; the table is encrypted at rest. It leaves the
   * service once, in the answer that creates the endpoint, and is never logged.
   */
  readonly secret: string;
}

/** The fields that an update may change; absent ones stay. */
export type EndpointChange = Partial<Pick<WebhookEndpoint, 'url' | 'eventTypes' | 'description' | 'disabledReason'>>;

export interface WebhookReader {
  /** Whether `http://localhost…` is an address like any other. */
  readonly allowsLocal: boolean;
  get(organizationId: string, endpointId: string): Promise<WebhookEndpoint | null>;
  /** Newest first. */
  list(organizationId: string): Promise<readonly WebhookEndpoint[]>;
}

export interface WebhookWriter extends WebhookReader {
  /** False where it is there already. */
  add(endpoint: WebhookEndpoint): Promise<boolean>;
  /** The endpoint after the change; null where the organization has none of this id. */
  update(organizationId: string, endpointId: string, change: EndpointChange): Promise<WebhookEndpoint | null>;
  /** Stops an endpoint whose receiver said that it is gone, unless its address has changed since. */
  markGone(endpoint: WebhookEndpoint): Promise<void>;
  /** False where the organization has none of this id. */
  remove(organizationId: string, endpointId: string): Promise<boolean>;
}

const keyOf = (organizationId: string, endpointId: string) => ({ pk: `ORG#${organizationId}`, sk: endpointId });

const text = (item: Item, name: string): string | null => (item[name] as string | undefined) ?? null;

const toEndpoint = (item: Item): WebhookEndpoint => ({
  id: item.sk,
  organizationId: item.pk.slice('ORG#'.length),
  url: item['url'] as string,
  eventTypes: (item['event_types'] as EventType[] | undefined) ?? null,
  description: text(item, 'description'),
  disabledReason: text(item, 'disabled_reason') as DisabledReason | null,
  createdAt: item['created_at'] as string,
  updatedAt: item['updated_at'] as string,
  secret: item['secret'] as string,
});

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

export const openWebhookReader = (runtime: Runtime): WebhookReader => {
  const table = openTable(runtime, 'webhooks');
  return {
    allowsLocal: runtime.config.allowLocalWebhooks,
    get: async (organizationId, endpointId) => {
      const item = await table.get(keyOf(organizationId, endpointId));
      return item === null ? null : toEndpoint(item);
    },
    list: async (organizationId) => {
      const endpoints: WebhookEndpoint[] = [];
      for await (const item of table.all(`ORG#${organizationId}`, { prefix: 'we_', newestFirst: true })) {
        endpoints.push(toEndpoint(item));
      }
      return endpoints;
    },
  };
};

export const openWebhookWriter = (runtime: Runtime): WebhookWriter => {
  const table = openTable(runtime, 'webhooks');
  const now = (): string => runtime.clock.now().toISOString();
  return {
    ...openWebhookReader(runtime),
    add: (endpoint) => {
      const { set } = changeOf({
        url: endpoint.url,
        eventTypes: endpoint.eventTypes,
        description: endpoint.description,
        disabledReason: endpoint.disabledReason,
      });
      const item = {
        ...keyOf(endpoint.organizationId, endpoint.id),
        ...set,
        secret: endpoint.secret,
        created_at: endpoint.createdAt,
        updated_at: endpoint.updatedAt,
      };
      return table.put(item, { pk: { exists: false } });
    },
    update: async (organizationId, endpointId, change) => {
      const { set, remove } = changeOf(change);
      const item = await table.update(keyOf(organizationId, endpointId), {
        set: { ...set, updated_at: now() },
        remove,
        condition: { pk: { exists: true } },
      });
      return item === null ? null : toEndpoint(item);
    },
    markGone: async ({ organizationId, id, url }) => {
      await table.update(keyOf(organizationId, id), {
        set: { disabled_reason: 'gone', updated_at: now() },
        condition: { url: { eq: url }, disabled_reason: { exists: false } },
      });
    },
    remove: (organizationId, endpointId) => table.delete(keyOf(organizationId, endpointId), { pk: { exists: true } }),
  };
};

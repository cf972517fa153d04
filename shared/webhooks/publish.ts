import type { EventType } from '../events/index.ts';
import type { Runtime } from '../kernel/capability.ts';
import { derivedId } from '../kernel/ids.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { sendMessages } from '../platform/aws/queue.ts';
import type { DeliveryProvider, OutgoingEvent } from '../platform/delivery/port.ts';
import { openDeliveries } from './deliveries.ts';
import { type NewDelivery, refOf } from './delivery-record.ts';
import { isSubscribed, type WebhookEndpoint } from './record.ts';
import { openWebhookReader } from './repository.ts';

export interface DeliveryStarter {
  /** Stores deliveries and enqueues their first attempts. Idempotent. */
  start(deliveries: readonly NewDelivery[]): Promise<void>;
}

const maxConcurrency = 50;

/** Opens the starter of the built-in provider. The sweep enqueues stored deliveries whose message was lost. */
export const openDeliveryStarter = (runtime: Runtime): DeliveryStarter => {
  const store = openDeliveries(runtime);
  return {
    start: async (deliveries) => {
      await inParallel(deliveries, maxConcurrency, (delivery) => store.add(delivery));
      const refs = deliveries.map(refOf);
      await sendMessages(runtime, 'deliver', runtime.config.homeRegion, refs);
    },
  };
};

/** Returns the deliveries of an event to endpoints. Their ids derive from both, which makes storing them idempotent. */
export const deliveriesOf = (
  { organizationId, id: eventId, type, createdAt }: OutgoingEvent,
  endpoints: readonly WebhookEndpoint[],
): readonly NewDelivery[] =>
  endpoints.map(({ id: endpointId }) => ({
    id: derivedId('dlv', new Date(createdAt), eventId, endpointId),
    organizationId,
    endpointId,
    eventId,
    // The port declares types as strings.
    eventType: type as EventType,
    trigger: 'event',
    body: null,
    createdAt,
  }));

/** Opens the built-in provider, which creates one delivery per endpoint. */
export const openBuiltInDelivery = (runtime: Runtime): DeliveryProvider => {
  const webhooks = openWebhookReader(runtime);
  const starter = openDeliveryStarter(runtime);
  return {
    publish: async (event) => {
      const endpoints = (await webhooks.list(event.organizationId)).filter((endpoint) =>
        isSubscribed(endpoint, event.type),
      );
      await starter.start(deliveriesOf(event, endpoints));
    },
  };
};

import type { EventType } from '../events/index.ts';
import type { Runtime } from '../kernel/capability.ts';
import { derivedId } from '../kernel/ids.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { sendMessages } from '../platform/aws/queue.ts';
import type { DeliveryProvider, OutgoingEvent } from '../platform/delivery/port.ts';
import { openDeliveries } from './deliveries.ts';
import { type NewDelivery, refOf } from './delivery-record.ts';
import { wants, type WebhookEndpoint } from './record.ts';
import { openWebhookReader } from './repository.ts';

export interface DeliveryStarter {
  /** Keeps deliveries and asks for their first attempts; a repeat adds nothing. */
  start(deliveries: readonly NewDelivery[]): Promise<void>;
}

const abreast = 50;

/** Each delivery is stored before its message is sent; a message that is lost is sent again by the sweep. */
export const openDeliveryStarter = (runtime: Runtime): DeliveryStarter => {
  const store = openDeliveries(runtime);
  return {
    start: async (deliveries) => {
      await inParallel(deliveries, abreast, (delivery) => store.add(delivery));
      const refs = deliveries.map(refOf);
      await sendMessages(runtime, 'deliver', runtime.config.homeRegion, refs);
    },
  };
};

/** Of an event to each of some endpoints; the id of each follows from both, so that a repeat finds it there. */
export const deliveriesOf = (
  { organizationId, id: eventId, type, createdAt }: OutgoingEvent,
  endpoints: readonly WebhookEndpoint[],
): readonly NewDelivery[] =>
  endpoints.map(({ id: endpointId }) => ({
    id: derivedId('dlv', new Date(createdAt), eventId, endpointId),
    organizationId,
    endpointId,
    eventId,
    // The port knows types by their names alone.
    eventType: type as EventType,
    trigger: 'event',
    body: null,
    createdAt,
  }));

/** The built-in provider: one delivery per endpoint. */
export const openBuiltInDelivery = (runtime: Runtime): DeliveryProvider => {
  const webhooks = openWebhookReader(runtime);
  const starter = openDeliveryStarter(runtime);
  return {
    publish: async (event) => {
      const endpoints = (await webhooks.list(event.organizationId)).filter((endpoint) => wants(endpoint, event.type));
      await starter.start(deliveriesOf(event, endpoints));
    },
  };
};

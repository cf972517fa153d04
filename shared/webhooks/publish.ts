import type { Runtime } from '../kernel/capability.ts';
import { derivedId } from '../kernel/ids.ts';
import { sendMessages } from '../platform/aws/queue.ts';
import type { DeliveryProvider } from '../platform/delivery/port.ts';
import { openDeliveries } from './deliveries.ts';
import { openWebhookReader, type WebhookEndpoint } from './repository.ts';

const wants = ({ disabledReason, eventTypes }: WebhookEndpoint, type: string): boolean =>
  disabledReason === null && (eventTypes === null || eventTypes.some((wanted) => wanted === type));

/**
 * The built-in provider: one delivery per endpoint, stored before its message is sent. Its id follows from the event and
 * the endpoint, so a repeat finds it there; a message that is lost is sent again by the sweep.
 */
export const openBuiltInDelivery = (runtime: Runtime): DeliveryProvider => {
  const webhooks = openWebhookReader(runtime);
  const deliveries = openDeliveries(runtime);
  return {
    publish: async ({ organizationId, id: eventId, type, createdAt }) => {
      const endpoints = (await webhooks.list(organizationId)).filter((endpoint) => wants(endpoint, type));
      const due = endpoints.map(({ id: endpointId }) => ({
        id: derivedId('dlv', new Date(createdAt), eventId, endpointId),
        organizationId,
        endpointId,
        eventId,
      }));
      await Promise.all(due.map((delivery) => deliveries.add(delivery)));
      const messages = due.map(({ id, endpointId }) => ({
        organization_id: organizationId,
        endpoint_id: endpointId,
        delivery_id: id,
      }));
      await sendMessages(runtime, 'deliver', runtime.config.homeRegion, messages);
    },
  };
};

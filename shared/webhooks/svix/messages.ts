import type { OutgoingEvent } from '../../platform/delivery/port.ts';
import type { SvixMessage } from '../../platform/delivery/svix-api.ts';
import type { NewDelivery } from '../delivery-record.ts';
import type { WebhookEndpoint } from '../record.ts';
import type { SvixEnvelope } from './relay.ts';

/** What Svix keeps of an event: the envelope as text, so that its bytes come out as they went in. */
const payloadOf = (eventId: string, body: string): SvixEnvelope => ({ event_id: eventId, envelope: body });

/** What an endpoint listens to: what is meant for it alone, and all events or those of its types. Svix takes ten. */
export const channelsOf = ({ id, organizationId, eventTypes }: WebhookEndpoint): readonly string[] => [
  id,
  ...(eventTypes ?? [organizationId]),
];

/** An event for all endpoints that want its type. */
export const messageToAll = ({ organizationId, id, type, body }: OutgoingEvent): SvixMessage => ({
  id,
  type,
  payload: payloadOf(id, body),
  channels: [organizationId, type],
});

/** An event for one endpoint, under an id that names the event, what brought the delivery about, and the delivery. */
export const messageToOne = (
  { id, eventId, eventType, trigger, endpointId }: NewDelivery,
  body: string,
): SvixMessage => ({
  id: `${eventId}.${trigger}.${id}`,
  type: eventType,
  payload: payloadOf(eventId, body),
  channels: [endpointId],
});

/** What the id of a message tells; of one for all endpoints there is no delivery. */
export const partsOf = (messageId: string) => {
  const [eventId = '', trigger = 'event', deliveryId = null] = messageId.split('.');
  return { eventId, trigger, deliveryId };
};

import type { OutgoingEvent } from '../../platform/delivery/port.ts';
import type { SvixMessage } from '../../platform/delivery/svix-api.ts';
import type { NewDelivery } from '../delivery-record.ts';
import { eventTypes as allEventTypes, namedEventTypes } from '../../events/index.ts';
import { isByName, type WebhookEndpoint } from '../record.ts';
import type { SvixEnvelope } from './relay.ts';

/** Returns the payload that Svix stores. The envelope is a string, so Svix cannot change its bytes. */
const payloadOf = (eventId: string, body: string): SvixEnvelope => ({ event_id: eventId, envelope: body });

/** Returns the channels of an endpoint: its own, and those of its event types or of all events. Svix allows ten. */
export const channelsOf = ({ id, organizationId, eventTypes }: WebhookEndpoint): readonly string[] => {
  const named = eventTypes?.filter(isByName) ?? [];
  const others = eventTypes?.filter((type) => !isByName(type));
  const isAll = others === undefined || others.length + namedEventTypes.length === allEventTypes.length;
  return [id, ...(isAll ? [organizationId] : others), ...named];
};

/** Returns the message of an event for all endpoints that subscribe to its type. */
export const messageToAll = ({ organizationId, id, type, body }: OutgoingEvent): SvixMessage => ({
  id,
  type,
  payload: payloadOf(id, body),
  channels: isByName(type) ? [type] : [organizationId, type],
});

/** Returns the message of an event for one endpoint. Its id consists of the ids of event, trigger and delivery. */
export const messageToOne = (
  { id, eventId, eventType, trigger, endpointId }: NewDelivery,
  body: string,
): SvixMessage => ({
  id: `${eventId}.${trigger}.${id}`,
  type: eventType,
  payload: payloadOf(eventId, body),
  channels: [endpointId],
});

/** Parses the id of a message. The id of a message to all endpoints contains no delivery. */
export const partsOf = (messageId: string) => {
  const [eventId = '', trigger = 'event', deliveryId = null] = messageId.split('.');
  return { eventId, trigger, deliveryId };
};

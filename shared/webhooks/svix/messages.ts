import type { OutgoingEvent } from '../../platform/delivery/port.ts';
import type { SvixMessage } from '../../platform/delivery/svix-api.ts';
import type { NewDelivery } from '../delivery-record.ts';
import { eventTypes as allEventTypes, namedEventTypes } from '../../events/index.ts';
import { isByName, type WebhookEndpoint } from '../record.ts';
import type { SvixEnvelope } from './relay.ts';

/** Returns the payload that Svix stores. The envelope is a string, so Svix cannot change its bytes. */
const payloadOf = (eventId: string, body: string): SvixEnvelope => ({ event_id: eventId, envelope: body });

/** Returns the subject of a type, which is the channel of all its types: `file.processing` of `file.processing.failed`. */
const subjectOf = (type: string): string => type.slice(0, type.lastIndexOf('.'));

/** Types of events by their subjects. */
const bySubject = Map.groupBy(
  allEventTypes.filter((type) => !isByName(type)),
  subjectOf,
);

/**
 * Returns the channels of an endpoint: its own, and those of its event types, of all types of a subject, or of all events.
 * Svix allows ten.
 */
export const channelsOf = ({ id, organizationId, eventTypes }: WebhookEndpoint): readonly string[] => {
  const named = eventTypes?.filter(isByName) ?? [];
  const others = eventTypes?.filter((type) => !isByName(type));
  const isAll = others === undefined || others.length + namedEventTypes.length === allEventTypes.length;
  if (isAll) return [id, organizationId, ...named];
  const channels = [...bySubject].flatMap(([subject, types]) => {
    const chosen = types.filter((type) => others.includes(type));
    return chosen.length === types.length ? [subject] : chosen;
  });
  return [id, ...channels, ...named];
};

/** Returns the message of an event for all endpoints that subscribe to its type. */
export const messageToAll = ({ organizationId, id, type, body }: OutgoingEvent): SvixMessage => ({
  id,
  type,
  payload: payloadOf(id, body),
  channels: isByName(type) ? [type] : [organizationId, subjectOf(type), type],
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

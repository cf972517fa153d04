import type { OutgoingEvent } from '../../platform/delivery/port.ts';
import type { SvixMessage } from '../../platform/delivery/svix-api.ts';
import type { NewDelivery } from '../delivery-record.ts';
import { eventTypes as allEventTypes, namedEventTypes } from '../../events/index.ts';
import { batchesOf } from '../../kernel/batches.ts';
import { isByName, type WebhookEndpoint } from '../record.ts';
import type { SvixEnvelope } from './relay.ts';

/** Returns the payload that Svix stores. The envelope is a string, so Svix cannot change its bytes. */
const payloadOf = (eventId: string, body: string): SvixEnvelope => ({ event_id: eventId, envelope: body });

/**
 * Types of events in pairs, whose channel is that of both. No choice of types needs more than one channel of a pair, and Svix
 * allows ten for an endpoint.
 */
const pairs = batchesOf(
  allEventTypes.filter((type) => !isByName(type)),
  2,
);

const channelOf = (pair: readonly string[]): string => pair.join('.or.');

/** Channels of pairs by their types. */
const pairChannels = new Map<string, string>(pairs.flatMap((pair) => pair.map((type) => [type, channelOf(pair)])));

/**
 * Returns the channels of an endpoint: its own, and those of its event types, of pairs of them, or of all events.
 */
export const channelsOf = ({ id, organizationId, eventTypes }: WebhookEndpoint): readonly string[] => {
  const named = eventTypes?.filter(isByName) ?? [];
  const others = eventTypes?.filter((type) => !isByName(type));
  const isAll = others === undefined || others.length + namedEventTypes.length === allEventTypes.length;
  if (isAll) return [id, organizationId, ...named];
  const channels = pairs.flatMap((pair) => {
    const chosen = pair.filter((type) => others.includes(type));
    return chosen.length === pair.length ? [channelOf(pair)] : chosen;
  });
  return [id, ...channels, ...named];
};

/** Returns the message of an event for all endpoints that subscribe to its type. */
export const messageToAll = ({ organizationId, id, type, body }: OutgoingEvent): SvixMessage => ({
  id,
  type,
  payload: payloadOf(id, body),
  channels: isByName(type) ? [type] : [...new Set([organizationId, pairChannels.get(type) ?? type, type])],
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

import * as z from 'zod';
import { EventType, eventTypes } from '../events/index.ts';
import { whenObject } from '../http/schema-helpers.ts';
import { exampleId, exampleTime } from '../http/examples.ts';
import { Timestamp } from '../http/timestamp.ts';

/** Type of the test message, which is not an event and not in the history. */
export const testType = 'webhook.test';

const DeliveryStatus = z.enum(['pending', 'delivered', 'failed', 'dropped']).meta({
  id: 'WebhookDeliveryStatus',
  description: '`pending` until an attempt succeeds, the last attempt fails, or the endpoint is disabled or deleted.',
});
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

const DeliveredType = z
  .enum([...eventTypes, testType])
  .meta({ id: 'WebhookMessageType', description: 'Type of a message to an endpoint.' });
export type DeliveredType = z.infer<typeof DeliveredType>;

const DeliveryTrigger = z
  .enum(['event', 'replay', 'test'])
  .meta({ id: 'WebhookDeliveryTrigger', description: 'Cause of a delivery.' });
export type DeliveryTrigger = z.infer<typeof DeliveryTrigger>;

/** Outcome of one attempt: the status of the response, or why there was no complete response. */
export const AttemptRecord = z
  .object({
    attempt: z.int().describe('Number of the attempt, from 1.'),
    at: z.iso.datetime().describe('When the attempt was made.'),
    status_code: z.int().nullable().describe('Status of the response; null if there was no complete response.'),
    error: z
      .enum(['timeout', 'address_not_allowed', 'connection_failed', 'interrupted', 'endpoint_unresponsive'])
      .meta({ id: 'WebhookAttemptError', description: 'Why an attempt received no complete response.' })
      .nullable()
      .describe(
        'Why there was no complete response. `interrupted`: the service failed. `endpoint_unresponsive`: nothing was ' +
          'sent, because the receiver timed out at its last attempt and another attempt was in progress.',
      ),
    duration_ms: z
      .int()
      .nullable()
      .describe(
        'Milliseconds from the DNS lookup to the end of the response or of the attempt; null if nothing was sent.',
      ),
  })
  .meta({ id: 'WebhookAttempt', description: 'One attempt at a delivery.' });
export type AttemptRecord = z.infer<typeof AttemptRecord>;

const exampleDelivery = {
  id: exampleId('dlv'),
  event_id: exampleId('evt'),
  event_type: 'file.processing.completed',
  trigger: 'event',
  status: 'pending',
  attempts: [{ attempt: 1, at: exampleTime, status_code: 503, error: null, duration_ms: 41 }],
  next_attempt_at: '2026-01-26T09:30:05.000Z',
  created_at: exampleTime,
};

/** Delivery in the log. */
export const WebhookDelivery = z
  .object({
    id: z.string().describe('Id of the delivery.'),
    event_id: z.string().describe('Id of the event. Receivers get it as the header `hook-id`.'),
    event_type: DeliveredType.describe('Type of the message.'),
    trigger: DeliveryTrigger.describe('Cause of the delivery.'),
    status: DeliveryStatus.describe('`dropped`: the endpoint was disabled or deleted, or the event has expired.'),
    attempts: z.array(AttemptRecord).describe('Attempts so far, oldest first.'),
    next_attempt_at: z.iso
      .datetime()
      .nullable()
      .describe(
        'When the next attempt is made. During an attempt: when the next one is made if the outcome of this one is lost. Null if the delivery has ended.',
      ),
    created_at: z.iso.datetime().describe('When the delivery was created.'),
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'Delivery of one message to one endpoint.',
    examples: [exampleDelivery],
  });

/** Body of the replay of one event. */
export const EventReplay = z
  .strictObject({
    endpoint_id: z
      .string()
      .optional()
      .describe(
        'Endpoint to send to, even if it does not subscribe to the type. If absent: all enabled endpoints that subscribe to it.',
      ),
  })
  .meta({ id: 'EventReplay', description: 'Target of the replay of an event.', examples: [{}] });

/** Whether a range ends after it starts. True if a bound is not a timestamp, which is a problem of its own. */
const isRangeOrdered = ({ from, to }: { readonly from: unknown; readonly to: unknown }): boolean => {
  const [begin, end] = [Timestamp.safeParse(from), Timestamp.safeParse(to)];
  return !begin.success || !end.success || Date.parse(begin.data) < Date.parse(end.data);
};

/** Body of the replay of a time range. */
export const EventRangeReplay = z
  .strictObject({
    from: Timestamp.describe('Start of the range, inclusive.'),
    to: Timestamp.describe('End of the range, exclusive.'),
    event_types: z
      .array(EventType)
      .min(1)
      .max(eventTypes.length)
      .nullable()
      .default(null)
      .describe('Types to replay; null for every type.'),
    endpoint_id: z.string().optional().describe('Endpoint to send to. If absent: all enabled endpoints.'),
  })
  .refine(isRangeOrdered, { error: '`to` must be later than `from`', path: ['to'], when: whenObject })
  .meta({
    id: 'EventRangeReplay',
    description: 'Events to replay.',
    examples: [{ from: exampleTime, to: '2026-01-26T10:30:00.000Z' }],
  });
export type EventRangeReplay = z.output<typeof EventRangeReplay>;

/** Response to the start of a replay. */
export const ReplayAccepted = z
  .object({
    events: z.int().describe('Number of events that are sent again.'),
    endpoints: z.int().describe('Number of endpoints. Each receives the types that it subscribes to.'),
  })
  .meta({ id: 'ReplayAccepted', description: 'What a replay sends.', examples: [{ events: 1, endpoints: 2 }] });

/** Queue message that runs the next step of a replay. */
export const ReplayRef = z.object({ organization_id: z.string(), replay_id: z.string() });
export type ReplayRef = z.infer<typeof ReplayRef>;

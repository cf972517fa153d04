import * as z from 'zod';
import { EventType, eventTypes } from '../events/index.ts';
import { besideOthers } from '../http/beside-others.ts';
import { exampleId, exampleTime } from '../http/examples.ts';
import { Moment } from '../http/moment.ts';

/** Type of the message that tries an endpoint; it is no event and in no history. */
export const testType = 'webhook.test';

/** `pending` until one attempt succeeds, the last one fails, or the endpoint stops receiving. */
const DeliveryStatus = z.enum(['pending', 'delivered', 'failed', 'dropped']).meta({
  id: 'WebhookDeliveryStatus',
  description: '`pending` until an attempt succeeds, the last one fails, or the endpoint stops receiving.',
});
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

const DeliveredType = z
  .enum([...eventTypes, testType])
  .meta({ id: 'WebhookMessageType', description: 'Type of a message to an endpoint.' });
export type DeliveredType = z.infer<typeof DeliveredType>;

/** What brought a delivery about. */
const DeliveryTrigger = z
  .enum(['event', 'replay', 'test'])
  .meta({ id: 'WebhookDeliveryTrigger', description: 'What brought a delivery about.' });
export type DeliveryTrigger = z.infer<typeof DeliveryTrigger>;

/** How one attempt went: the receiver's status, or why there was no whole answer. */
export const AttemptRecord = z
  .object({
    attempt: z.int().describe('Number of the attempt, from 1.'),
    at: z.iso.datetime().describe('When the attempt was made.'),
    status_code: z.int().nullable().describe('Status that the receiver answered; null where no whole answer came.'),
    error: z
      .enum(['timeout', 'address_not_allowed', 'connection_failed', 'interrupted', 'endpoint_unresponsive'])
      .meta({ id: 'WebhookAttemptError', description: 'Why an attempt got no whole answer.' })
      .nullable()
      .describe(
        'Why no whole answer came. `interrupted`: the service failed; `endpoint_unresponsive`: not sent, because the ' +
          'receiver hung when last tried and was just being tried again.',
      ),
    duration_ms: z
      .int()
      .nullable()
      .describe(
        'Milliseconds from the lookup of the name to the end of the answer or of the attempt; null where none was made.',
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

/** One event on its way to one endpoint, as the log shows it. */
export const WebhookDelivery = z
  .object({
    id: z.string().describe('Id of the delivery.'),
    event_id: z.string().describe('Id of the event, which the receiver sees as `hook-id`.'),
    event_type: DeliveredType.describe('Type of the message.'),
    trigger: DeliveryTrigger.describe('What brought it about.'),
    status: DeliveryStatus.describe('`dropped`: the endpoint stopped receiving, or the event is past its retention.'),
    attempts: z.array(AttemptRecord).describe('Attempts so far, in their order.'),
    next_attempt_at: z.iso
      .datetime()
      .nullable()
      .describe(
        'When the next attempt is made. While an attempt is under way, when another is made if nothing is heard of that one. Null once it has ended.',
      ),
    created_at: z.iso.datetime().describe('When the delivery was created.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'One message on its way to one endpoint.', examples: [exampleDelivery] });

/** Body of the replay of one event. */
export const EventReplay = z
  .strictObject({
    endpoint_id: z
      .string()
      .optional()
      .describe('Send to this endpoint alone, whatever types it wants; absent: to all that are enabled and want it.'),
  })
  .meta({ id: 'EventReplay', description: 'Where to send an event again.', examples: [{}] });

/** Whether a range ends after it begins; where one of both is no moment, that is a problem of its own. */
const holdsTime = ({ from, to }: { readonly from: unknown; readonly to: unknown }): boolean => {
  const [begin, end] = [Moment.safeParse(from), Moment.safeParse(to)];
  return !begin.success || !end.success || Date.parse(begin.data) < Date.parse(end.data);
};

/** Body of the replay of a range of time. */
export const EventRangeReplay = z
  .strictObject({
    from: Moment.describe('Events of this moment and later.'),
    to: Moment.describe('Events before this moment.'),
    event_types: z
      .array(EventType)
      .min(1)
      .max(eventTypes.length)
      .nullable()
      .default(null)
      .describe('Types to send again; null: every type.'),
    endpoint_id: z.string().optional().describe('Send to this endpoint alone; absent: to all that are enabled.'),
  })
  .refine(holdsTime, { error: '`to` must be later than `from`', path: ['to'], when: besideOthers })
  .meta({
    id: 'EventRangeReplay',
    description: 'Which events to send again.',
    examples: [{ from: exampleTime, to: '2026-01-26T10:30:00.000Z' }],
  });
export type EventRangeReplay = z.output<typeof EventRangeReplay>;

/** What a replay was accepted for. */
export const ReplayAccepted = z
  .object({
    events: z.int().describe('Events that are sent again.'),
    endpoints: z.int().describe('Endpoints that take part; each gets the events that it wants.'),
  })
  .meta({ id: 'ReplayAccepted', description: 'What a replay sends.', examples: [{ events: 1, endpoints: 2 }] });

/** A replay of a range, as the message that asks for its next step names it. */
export const ReplayRef = z.object({ organization_id: z.string(), replay_id: z.string() });
export type ReplayRef = z.infer<typeof ReplayRef>;

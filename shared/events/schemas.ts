import * as z from 'zod';
import { exampleId, exampleTime } from '../http/examples.ts';
import { integerText } from '../http/integer.ts';
import { Processing } from '../pipeline/processing.ts';
import { EventType } from './event-data.ts';

/** `recorded`: kept, not yet handed over; `dispatched`: accepted for delivery; `failed`: could not be handed over. */
export const EventStatus = z.enum(['recorded', 'dispatched', 'failed']);
export type EventStatus = z.infer<typeof EventStatus>;

/** Address of an event, also the message that asks for its relay. */
export const EventRef = z.object({ organization_id: z.string(), event_id: z.string() });
export type EventRef = z.infer<typeof EventRef>;

/** Query of the event history. */
export const EventHistoryQuery = z.object({
  limit: integerText(1, 100).default(25),
  offset: integerText(0, Number.MAX_SAFE_INTEGER).default(0),
  event_type: EventType.optional(),
  status: EventStatus.optional(),
});
export type EventHistoryQuery = z.output<typeof EventHistoryQuery>;

const HistoryEvent = z.object({
  id: z.string(),
  event_type: EventType,
  status: EventStatus,
  created_at: z.iso.datetime(),
  index_id: z.string().nullable(),
  job_id: z.string().nullable(),
  payload: z
    .object({
      type: EventType,
      created_at: z.iso.datetime(),
      organization_id: z.string(),
      data: z.record(z.string(), z.unknown()),
    })
    .meta({
      description: 'The message as webhook endpoints receive it.',
      jsonSchema: { $ref: '#/components/schemas/WebhookMessage' },
    }),
});

const EventTrace = z
  .object({ event_id: z.string(), job_id: z.string(), processing: Processing })
  .describe('What processing took, for each event on the page that ends a file job.');

const TelemetryStep = z
  .object({
    event_id: z.string(),
    job_id: z.string(),
    task_id: z.string(),
    attempt: z.int(),
    phase: z.string(),
    started_at: z.iso.datetime(),
    duration_ms: z.int(),
    attributes: z.record(z.string(), z.unknown()),
  })
  .describe('One timed phase of one attempt of one task, for each event on the page that ends a file job.');

/** One page of the event history, newest first. */
export const EventHistory = z
  .object({
    events: z.array(HistoryEvent),
    total: z.int().describe('Events that match at the time of the request; may change between pages.'),
    limit: z.int(),
    offset: z.int(),
    traces: z.array(EventTrace),
    telemetry: z.array(TelemetryStep),
  })
  .meta({
    id: 'EventHistory',
    examples: [
      {
        events: [
          {
            id: exampleId('evt'),
            event_type: 'index.created',
            status: 'dispatched',
            created_at: exampleTime,
            index_id: exampleId('idx'),
            job_id: null,
            payload: {
              type: 'index.created',
              created_at: exampleTime,
              organization_id: exampleId('org'),
              data: { index: { id: exampleId('idx'), name: 'handbook', region: 'us-east-1', dimensions: 1536 } },
            },
          },
        ],
        total: 1,
        limit: 25,
        offset: 0,
        traces: [],
        telemetry: [],
      },
    ],
  });
export type EventHistory = z.input<typeof EventHistory>;

import * as z from 'zod';
import { exampleId, exampleTime } from '../http/examples.ts';
import { integerText } from '../http/schema-helpers.ts';
import { Processing } from '../pipeline/processing.ts';
import { EventType } from './event-data.ts';

/** Status of an event's way to the delivery provider and the event bus. */
export const EventStatus = z.enum(['recorded', 'dispatched', 'failed']).meta({
  id: 'EventStatus',
  description:
    '`recorded`: stored, not yet accepted for delivery. `dispatched`: accepted for delivery. `failed`: could not be handed to the delivery service.',
});
export type EventStatus = z.infer<typeof EventStatus>;

/** Reference to an event; also the queue message that relays it. */
export const EventRef = z.object({ organization_id: z.string(), event_id: z.string() });
export type EventRef = z.infer<typeof EventRef>;

/** Query of the event history. */
export const EventHistoryQuery = z.strictObject({
  limit: integerText(1, 100).default(25).describe('Maximum number of events on the page.'),
  offset: integerText(0, Number.MAX_SAFE_INTEGER).default(0).describe('Events to skip.'),
  event_type: EventType.optional().describe('Only events of this type.'),
  status: EventStatus.optional().describe('Only events of this status.'),
});
export type EventHistoryQuery = z.output<typeof EventHistoryQuery>;

const HistoryEvent = z
  .object({
    id: z.string().describe('Id of the event.'),
    event_type: EventType.describe('Type of the event.'),
    status: EventStatus.describe('Whether the event was accepted for delivery.'),
    created_at: z.iso.datetime().describe('When the event happened.'),
    index_id: z.string().nullable().describe('Index that the event is about; null if there is none.'),
    job_id: z.string().nullable().describe('File job that the event is about; null if there is none.'),
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
  })
  .meta({ id: 'HistoryEvent', description: 'One event of the history.' });

const EventTrace = z
  .object({
    event_id: z.string().describe('Id of the event.'),
    job_id: z.string().describe('Id of the file job.'),
    processing: Processing.describe('Duration and cost of the processing.'),
  })
  .meta({ id: 'EventTrace', description: 'Processing data of the file job of an event.' });

const TelemetryStep = z
  .object({
    event_id: z.string().describe('Id of the event.'),
    job_id: z.string().describe('Id of the file job.'),
    task_id: z.string().describe('Id of the task.'),
    attempt: z.int().describe('Number of the attempt, from 1.'),
    phase: z.string().describe('Name of the phase, such as `content.extract`.'),
    started_at: z.iso.datetime().describe('When the phase started.'),
    duration_ms: z.int().describe('Duration of the phase in milliseconds.'),
    attributes: z.record(z.string(), z.unknown()).describe('Figures of the phase, such as pages or vectors.'),
  })
  .meta({ id: 'TelemetryStep', description: 'One timed phase of one attempt of one task.' });

/** One page of the event history, newest first. */
export const EventHistory = z
  .object({
    events: z.array(HistoryEvent).describe('The events of the page, newest first.'),
    total: z.int().describe('Number of events that match at the time of the request. It may change between pages.'),
    limit: z.int().describe('`limit` of the request.'),
    offset: z.int().describe('`offset` of the request.'),
    traces: z.array(EventTrace).describe('Processing data of each event on the page that ends a file job.'),
    telemetry: z
      .array(TelemetryStep)
      .describe('Timed phases of the tasks of each event on the page that ends a file job.'),
  })
  .meta({
    id: 'EventHistory',
    description: 'One page of the event history.',
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

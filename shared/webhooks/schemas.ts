import * as z from 'zod';
import { maxUrlCharacters } from '../kernel/bounds.ts';
import { EventType, eventTypes } from '../events/index.ts';
import { exampleId, exampleTime } from '../http/examples.ts';
import { webhookUrlProblem } from '../platform/delivery/public-address.ts';

/** Everything about an address that its text tells, local addresses let through: whether those are welcome is configured. */
const WebhookUrl = z
  .string()
  .min(1, { abort: true })
  .max(maxUrlCharacters, { abort: true })
  .superRefine((url, context) => {
    const problem = webhookUrlProblem(url, true);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, input: url });
  })
  .describe('Where events are sent: an https address on the public internet.');

const EventTypes = z
  .array(EventType)
  .min(1)
  .max(eventTypes.length)
  .overwrite((types) => [...new Set(types)])
  .nullable()
  .describe('Types that the endpoint receives; null for all, also those to come.');

const Description = z.string().max(500).nullable().describe('What the endpoint is for.');

export const WebhookEndpointCreate = z
  .object({ url: WebhookUrl, event_types: EventTypes.default(null), description: Description.default(null) })
  .meta({
    id: 'WebhookEndpointCreate',
    description: 'An endpoint to create.',
    examples: [
      { url: 'https://example.com/events', event_types: ['file.processing.completed'], description: 'Ingest' },
    ],
  });
export type WebhookEndpointCreate = z.output<typeof WebhookEndpointCreate>;

export const WebhookEndpointUpdate = z
  .strictObject({
    url: WebhookUrl.optional(),
    event_types: EventTypes.optional(),
    description: Description.optional(),
    enabled: z.boolean().optional().describe('False pauses the endpoint: what comes due meanwhile is not sent later.'),
  })
  .meta({ id: 'WebhookEndpointUpdate', description: 'A change of an endpoint.', examples: [{ enabled: false }] });
export type WebhookEndpointUpdate = z.output<typeof WebhookEndpointUpdate>;

export const DisabledReason = z
  .enum(['paused', 'gone', 'failing'])
  .meta({ id: 'WebhookDisabledReason', description: 'Why an endpoint receives nothing.' });
export type DisabledReason = z.infer<typeof DisabledReason>;

const exampleEndpoint = {
  id: exampleId('we'),
  url: 'https://example.com/events',
  event_types: ['file.processing.completed'],
  description: 'Ingest',
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  created_at: exampleTime,
  updated_at: exampleTime,
};

export const WebhookEndpointResponse = z
  .object({
    id: z.string().describe('Id of the endpoint.'),
    url: z.string().describe('Where events are sent.'),
    event_types: z.array(EventType).nullable().describe('Types that the endpoint receives; null: all.'),
    description: z.string().nullable().describe('What the endpoint is for; null: not said.'),
    enabled: z.boolean().describe('Whether the endpoint receives events.'),
    disabled_reason: DisabledReason.nullable().describe(
      'Why the endpoint receives nothing; null if it does. `paused` by an owner; `gone`: the receiver answered 410; `failing`: five days without one success.',
    ),
    failing_since: z.iso
      .datetime()
      .nullable()
      .describe('First failed attempt since the last that succeeded; null after a success.'),
    created_at: z.iso.datetime().describe('When the endpoint was created.'),
    updated_at: z.iso.datetime().describe('When the endpoint was last changed.'),
  })
  .meta({ id: 'WebhookEndpointResponse', description: 'A webhook endpoint.', examples: [exampleEndpoint] });

/** With the answer of a rotation, all that ever carries a secret. */
export const WebhookEndpointCreated = WebhookEndpointResponse.extend({
  secret: z.string().describe('Signing secret, shown this once.'),
}).meta({
  id: 'WebhookEndpointCreated',
  description: 'A created endpoint with its secret.',
  examples: [{ ...exampleEndpoint, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
});

/** What the replacement of a secret answers. */
export const WebhookSecretRotated = WebhookEndpointCreated.extend({
  previous_secret_expires_at: z.iso
    .datetime()
    .describe('Until then deliveries carry a signature of the old secret too.'),
}).meta({
  id: 'WebhookSecretRotated',
  description: 'An endpoint with its new secret.',
  examples: [
    {
      ...exampleEndpoint,
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      previous_secret_expires_at: '2026-01-27T09:30:00.000Z',
    },
  ],
});

/** Address of a delivery, also the message that asks for its next attempt. */
export const DeliveryRef = z.object({ organization_id: z.string(), endpoint_id: z.string(), delivery_id: z.string() });
export type DeliveryRef = z.infer<typeof DeliveryRef>;

import * as z from 'zod';
import { maxUrlCharacters } from '../kernel/bounds.ts';
import { EventType, eventTypes } from '../events/index.ts';
import { exampleId, exampleTime } from '../http/examples.ts';
import { webhookUrlProblem } from '../platform/delivery/public-address.ts';

/** Checks the text of a URL. Accepts local addresses, which a verb checks by the configuration. */
const WebhookUrl = z
  .string()
  .min(1, { abort: true })
  .max(maxUrlCharacters, { abort: true })
  .superRefine((url, context) => {
    const problem = webhookUrlProblem(url, true);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, input: url });
  })
  .describe('URL of the receiver: an https address on the public internet.');

const EventTypes = z
  .array(EventType)
  .min(1)
  .max(eventTypes.length)
  .overwrite((types) => [...new Set(types)])
  .nullable()
  .describe('Event types that the endpoint subscribes to; null for all but `audit.recorded`, including future types.');

const Description = z.string().max(500).nullable().describe('Purpose of the endpoint.');

export const WebhookEndpointCreate = z
  .strictObject({ url: WebhookUrl, event_types: EventTypes.default(null), description: Description.default(null) })
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
    enabled: z
      .boolean()
      .optional()
      .describe('False pauses the endpoint. Deliveries that become due during a pause are dropped.'),
  })
  .meta({ id: 'WebhookEndpointUpdate', description: 'A change of an endpoint.', examples: [{ enabled: false }] });
export type WebhookEndpointUpdate = z.output<typeof WebhookEndpointUpdate>;

export const DisabledReason = z
  .enum(['paused', 'gone', 'failing'])
  .meta({ id: 'WebhookDisabledReason', description: 'Why an endpoint is disabled.' });
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
    url: z.string().describe('URL of the receiver.'),
    event_types: z
      .array(EventType)
      .nullable()
      .describe('Event types that the endpoint subscribes to; null for all but `audit.recorded`.'),
    description: z.string().nullable().describe('Purpose of the endpoint; null if there is none.'),
    enabled: z.boolean().describe('Whether the endpoint receives events.'),
    disabled_reason: DisabledReason.nullable().describe(
      'Why the endpoint is disabled; null if it is enabled. `paused`: by an owner. `gone`: the receiver returned 410. `failing`: five days without a success.',
    ),
    failing_since: z.iso
      .datetime()
      .nullable()
      .describe('Time of the first failed attempt since the last success; null after a success.'),
    created_at: z.iso.datetime().describe('When the endpoint was created.'),
    updated_at: z.iso.datetime().describe('When the endpoint was last changed.'),
  })
  .meta({ id: 'WebhookEndpointResponse', description: 'A webhook endpoint.', examples: [exampleEndpoint] });

/** Only this response and that of a rotation contain a secret. */
export const WebhookEndpointCreated = WebhookEndpointResponse.extend({
  secret: z.string().describe('Signing secret, returned only once.'),
}).meta({
  id: 'WebhookEndpointCreated',
  description: 'A created endpoint with its secret.',
  examples: [{ ...exampleEndpoint, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
});

/** Response to the rotation of a secret. */
export const WebhookSecretRotated = WebhookEndpointCreated.extend({
  previous_secret_expires_at: z.iso.datetime().describe('Until when deliveries are also signed with the old secret.'),
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

/** Reference to a delivery; also the queue message that runs its next attempt. */
export const DeliveryRef = z.object({ organization_id: z.string(), endpoint_id: z.string(), delivery_id: z.string() });
export type DeliveryRef = z.infer<typeof DeliveryRef>;

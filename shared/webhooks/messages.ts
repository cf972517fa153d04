import * as z from 'zod';
import { eventData, eventTypes } from '../events/index.ts';
import { exampleId } from '../http/examples.ts';
import type { WebhookMessage } from '../http/openapi/webhooks.ts';
import { toPascalCase } from '../kernel/text.ts';
import { testType } from './delivery-schemas.ts';

const envelopeOf = (id: string, type: string, data: z.ZodType) =>
  z
    .object({
      type: z.literal(type).describe('Type of the message.'),
      created_at: z.iso.datetime().describe('When the event happened.'),
      organization_id: z.string().describe('Id of the organization.'),
      data: data.describe('Data of the event. Its schema depends on the type.'),
    })
    .meta({ id, description: `Body of a \`${type}\` message.` });

const TestData = z
  .object({
    endpoint: z
      .object({ id: z.string().describe('Id of the endpoint.') })
      .meta({ id: 'TestedEndpoint', description: 'The endpoint that is tested.' })
      .describe('The endpoint that is tested.'),
  })
  .meta({ id: 'WebhookTestData', description: 'Data of a `webhook.test` message.' });

const testMessage: WebhookMessage = {
  type: testType,
  summary: 'Receive a test message',
  description:
    'Sent by `POST /v1/organization/webhooks/endpoints/{endpoint_id}/test`. It is signed like any event, but the history does not contain it.',
  body: envelopeOf('WebhookTestMessage', testType, TestData),
  example: { endpoint: { id: exampleId('we') } },
};

/** Messages to webhook endpoints, for the API description. */
export const webhookMessages: readonly WebhookMessage[] = [
  ...eventTypes.map((type) => {
    const { description = '', examples = [] } = eventData[type].meta() ?? {};
    return {
      type,
      summary: `Receive \`${type}\``,
      description,
      body: envelopeOf(`${toPascalCase(type)}Event`, type, eventData[type]),
      example: (examples as readonly unknown[])[0],
    };
  }),
  testMessage,
];

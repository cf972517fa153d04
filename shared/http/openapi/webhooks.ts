import * as z from 'zod';
import { toPascalCase } from '../../kernel/text.ts';
import { exampleId, exampleTime } from '../examples.ts';
import type { Components } from './components.ts';
import type { Schema } from './schema.ts';

/** Message that the service sends to webhook endpoints. */
export interface WebhookMessage {
  readonly type: string;
  readonly summary: string;
  readonly description: string;
  /** Body of the request, whose `type` is that of the message. */
  readonly body: z.ZodObject;
  /** Example of `data`. */
  readonly example: unknown;
}

const header = (name: string, description: string, schema: Schema, example: unknown): Schema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
  example,
});

/**
 * Headers of every delivery. Each message contains them, because `oapi-codegen` drops components that only webhooks
 * reference.
 */
const own: readonly Schema[] = [
  header(
    'hook-id',
    'Id of the event: the same for every attempt and every endpoint. Use it to ignore repeats.',
    { type: 'string' },
    exampleId('evt'),
  ),
  header(
    'hook-timestamp',
    'Unix time of the attempt in seconds. Refuse a message that is more than five minutes off.',
    { type: 'integer', format: 'int64' },
    Date.parse(exampleTime) / 1000,
  ),
  header(
    'hook-signature',
    'One or more signatures, separated by spaces, each `v1,` and base64: the HMAC-SHA256 of `{hook-id}.{hook-timestamp}.{body}` with the raw body, keyed with the base64-decoded part of the secret after `whsec_`. Accept the message if any signature matches.',
    { type: 'string' },
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** The same under the names of Standard Webhooks, by which its libraries verify a message. */
const parameters: readonly Schema[] = [
  ...own,
  ...own.map((one) => {
    const name = String(one['name']);
    return { ...one, name: `web${name}`, description: `The value of \`${name}\`, for Standard Webhooks libraries.` };
  }),
];

const responses: Schema = {
  '2XX': { description: 'The message was received. Respond as soon as it is stored.' },
  410: { description: 'The receiver is gone. The service disables the endpoint.' },
  default: { description: 'The attempt failed, also for a redirect. The service retries for about three days.' },
};

const operationOf = (
  { type, summary, description, body, example }: WebhookMessage,
  components: Components,
): Schema => ({
  operationId: `on${toPascalCase(type)}`,
  tags: ['Webhooks'],
  summary,
  description,
  security: [],
  parameters,
  requestBody: {
    required: true,
    description: 'The event. The bytes are the same at every attempt.',
    content: {
      'application/json': {
        schema: components.of(body, 'output'),
        example: { type, created_at: exampleTime, organization_id: exampleId('org'), data: example },
      },
    },
  },
  responses,
});

/** Returns the `webhooks` of the document: messages to webhook endpoints by type. */
export const webhooksOf = (messages: readonly WebhookMessage[], components: Components): Schema => {
  const [first, ...others] = messages.map(({ body }) => body);
  if (first === undefined) return {};
  // Registers the component that the event history references by name.
  components.of(
    z
      .discriminatedUnion('type', [first, ...others])
      .meta({ id: 'WebhookMessage', description: 'Any message to a webhook endpoint.' }),
    'output',
  );
  return Object.fromEntries(messages.map((message) => [message.type, { post: operationOf(message, components) }]));
};

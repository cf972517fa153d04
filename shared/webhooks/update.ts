import { notFound } from '../kernel/errors.ts';
import type { WebhookEndpoint } from './record.ts';
import type { EndpointChange, WebhookWriter } from './repository.ts';
import type { WebhookEndpointUpdate } from './schemas.ts';

const changeOf = ({ url, event_types, description, enabled }: WebhookEndpointUpdate): EndpointChange => ({
  ...(url === undefined ? {} : { url }),
  ...(event_types === undefined ? {} : { eventTypes: event_types }),
  ...(description === undefined ? {} : { description }),
  ...(enabled === undefined ? {} : { disabledReason: enabled ? null : 'paused' }),
});

/** Changes, pauses or resumes an endpoint. Throws 404. */
export const updateEndpoint = async (
  webhooks: WebhookWriter,
  organizationId: string,
  endpointId: string,
  body: WebhookEndpointUpdate,
): Promise<WebhookEndpoint> => {
  const endpoint = await webhooks.update(organizationId, endpointId, changeOf(body));
  if (endpoint === null) throw notFound('Webhook endpoint');
  return endpoint;
};

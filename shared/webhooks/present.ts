import type * as z from 'zod';
import type { WebhookEndpoint } from './repository.ts';
import type { WebhookEndpointResponse } from './schemas.ts';

/** An endpoint as its owners see it. */
export const toEndpointResponse = (endpoint: WebhookEndpoint): z.input<typeof WebhookEndpointResponse> => ({
  id: endpoint.id,
  url: endpoint.url,
  event_types: endpoint.eventTypes === null ? null : [...endpoint.eventTypes],
  description: endpoint.description,
  enabled: endpoint.disabledReason === null,
  disabled_reason: endpoint.disabledReason,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
});

import { type AuditedResource, hostOf } from '../http/audit.ts';
import type { Principal } from '../http/principal.ts';
import type { WebhookReader } from './repository.ts';
import type * as z from 'zod';
import type { Delivery } from './delivery-record.ts';
import type { WebhookEndpoint } from './record.ts';
import type { WebhookDelivery } from './delivery-schemas.ts';
import type { WebhookEndpointResponse } from './schemas.ts';

/** Returns the API representation of an endpoint. */
export const toEndpointResponse = (endpoint: WebhookEndpoint): z.input<typeof WebhookEndpointResponse> => ({
  id: endpoint.id,
  url: endpoint.url,
  event_types: endpoint.eventTypes === null ? null : [...endpoint.eventTypes],
  description: endpoint.description,
  enabled: endpoint.disabledReason === null,
  disabled_reason: endpoint.disabledReason,
  failing_since: endpoint.failingSince,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
});

/** Returns the API representation of a delivery. */
export const toDeliveryResponse = (delivery: Delivery): z.input<typeof WebhookDelivery> => ({
  id: delivery.id,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  trigger: delivery.trigger,
  status: delivery.status,
  attempts: delivery.attempts.map((attempt) => ({ ...attempt })),
  next_attempt_at: delivery.dueAt,
  created_at: delivery.createdAt,
});

interface AuditedCall {
  readonly caller: Principal;
  readonly path: { readonly endpoint_id: string };
  readonly deps: { readonly webhooks: Pick<WebhookReader, 'get'> };
}

/** Returns the endpoint of a path for the audit log. Its name is the host of its URL. */
export const auditedEndpoint = async ({ caller, path, deps }: AuditedCall): Promise<AuditedResource> => {
  const endpoint = await deps.webhooks.get(caller.organizationId, path.endpoint_id);
  return { id: path.endpoint_id, name: endpoint === null ? null : hostOf(endpoint.url) };
};

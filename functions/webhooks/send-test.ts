import { endpoint } from '../../shared/http/endpoint.ts';
import {
  auditedEndpoint,
  deliveriesStart,
  sendTestMessage,
  toDeliveryResponse,
  WebhookDelivery,
  webhooksRead,
} from '../../shared/webhooks/index.ts';

export const testWebhookEndpoint = endpoint({
  id: 'test-webhook-endpoint',
  method: 'POST',
  path: '/v1/organization/webhooks/endpoints/{endpoint_id}/test',
  summary: 'Send a test message to a webhook endpoint',
  description:
    'Sends a message of type `webhook.test` to this endpoint. It is signed, retried and logged like an event, but the event ' +
    'history does not contain it. The delivery log shows the outcome. Returns 409 if the endpoint is disabled.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  audit: { action: 'webhook_endpoint.tested', before: auditedEndpoint },
  errorCodes: ['conflict'],
  idempotent: true,
  uses: { webhooks: webhooksRead, starter: deliveriesStart },
  status: 202,
  response: WebhookDelivery,
  handle: async ({ path, caller, deps, idempotency }) =>
    toDeliveryResponse(await sendTestMessage(deps, caller.organizationId, path.endpoint_id, idempotency)),
});

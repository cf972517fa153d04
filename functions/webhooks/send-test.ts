import { endpoint } from '../../shared/http/endpoint.ts';
import {
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
    'Sends a message of type `webhook.test` to this endpoint alone, whatever types it wants: signed, repeated and logged ' +
    'like an event, but in no history. The log of deliveries tells how it went. 409 where the endpoint is disabled.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  refuses: ['conflict'],
  repeatable: true,
  uses: { webhooks: webhooksRead, starter: deliveriesStart },
  status: 202,
  response: WebhookDelivery,
  handle: async ({ path, caller, deps, creation }) =>
    toDeliveryResponse(await sendTestMessage(deps, caller.organizationId, path.endpoint_id, creation)),
});

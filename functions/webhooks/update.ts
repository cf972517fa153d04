import { hostOf } from '../../shared/http/audit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import {
  addressProblems,
  toEndpointResponse,
  updateEndpoint,
  WebhookEndpointResponse,
  WebhookEndpointUpdate,
  webhooksWrite,
} from '../../shared/webhooks/index.ts';

export const updateWebhookEndpoint = endpoint({
  id: 'update-webhook-endpoint',
  method: 'PATCH',
  path: '/v1/organization/webhooks/endpoints/{endpoint_id}',
  summary: 'Update, pause or resume a webhook endpoint',
  description: 'Changes the given fields. The signing secret stays the same.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  audit: {
    action: 'webhook_endpoint.updated',
    before: ({ path }) => ({ id: path.endpoint_id }),
    after: ({ url }) => ({ name: hostOf(url) }),
    details: ['event_types', 'description', 'enabled'],
  },
  uses: { webhooks: webhooksWrite },
  body: WebhookEndpointUpdate,
  status: 200,
  response: WebhookEndpointResponse,
  problems: ({ body, deps }) => addressProblems(body.url, deps.webhooks),
  handle: async ({ path, body, caller, deps }) =>
    toEndpointResponse(await updateEndpoint(deps.webhooks, caller.organizationId, path.endpoint_id, body)),
});

import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { toEndpointResponse, WebhookEndpointResponse, webhooksRead } from '../../shared/webhooks/index.ts';

export const listWebhookEndpoints = endpoint({
  id: 'list-webhook-endpoints',
  method: 'GET',
  path: '/v1/organization/webhooks/endpoints',
  summary: 'List webhook endpoints',
  description: 'All endpoints of the organization, newest first. A plan bounds their number, so there are no pages.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  uses: { webhooks: webhooksRead },
  status: 200,
  response: z.array(WebhookEndpointResponse),
  handle: async ({ caller, deps }) => {
    const endpoints = await deps.webhooks.list(caller.organizationId);
    return endpoints.map(toEndpointResponse);
  },
});

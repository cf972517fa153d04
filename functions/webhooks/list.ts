import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursor, pageOf, pagesOf, toPage } from '../../shared/http/page.ts';
import { toEndpointResponse, WebhookEndpointResponse, webhooksRead } from '../../shared/webhooks/index.ts';

export const listWebhookEndpoints = endpoint({
  id: 'list-webhook-endpoints',
  method: 'GET',
  path: '/v1/organization/webhooks/endpoints',
  summary: 'List webhook endpoints',
  description: 'The endpoints of the organization, newest first.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  uses: { webhooks: webhooksRead },
  query: pagesOf('we'),
  status: 200,
  response: z.array(WebhookEndpointResponse),
  handle: async ({ caller, deps, query }) => {
    const endpoints = await deps.webhooks.list(caller.organizationId);
    const { items, next } = pageOf(endpoints, ({ id }) => id, toPage(query), 'descending');
    return { body: items.map(toEndpointResponse), headers: nextCursor(next) };
  },
});

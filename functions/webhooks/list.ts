import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, paginate, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';
import { toEndpointResponse, WebhookEndpointResponse, webhooksRead } from '../../shared/webhooks/index.ts';

export const listWebhookEndpoints = endpoint({
  id: 'list-webhook-endpoints',
  method: 'GET',
  path: '/v1/organization/webhooks/endpoints',
  summary: 'List webhook endpoints',
  description: 'Lists the endpoints of the organization, newest first.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  uses: { webhooks: webhooksRead },
  query: pageQueryOf('we'),
  status: 200,
  response: z.array(WebhookEndpointResponse),
  handle: async ({ caller, deps, query }) => {
    const endpoints = await deps.webhooks.list(caller.organizationId);
    const { items, next } = paginate(endpoints, ({ id }) => id, toPageRequest(query), 'descending');
    return { body: items.map(toEndpointResponse), headers: nextCursorHeader(next) };
  },
});

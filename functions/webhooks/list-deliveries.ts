import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, PageQuery, toPageRequest } from '../../shared/http/pagination.ts';
import {
  deliveryLog,
  requireEndpoint,
  toDeliveryResponse,
  WebhookDelivery,
  webhooksRead,
} from '../../shared/webhooks/index.ts';

export const listWebhookDeliveries = endpoint({
  id: 'list-webhook-deliveries',
  method: 'GET',
  path: '/v1/organization/webhooks/endpoints/{endpoint_id}/deliveries',
  summary: 'List the deliveries to a webhook endpoint',
  description: 'Lists the events, replays and test messages of the last 30 days with their attempts, newest first.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  uses: { webhooks: webhooksRead, deliveries: deliveryLog },
  query: PageQuery,
  status: 200,
  response: z.array(WebhookDelivery),
  handle: async ({ path, query, caller, deps }) => {
    const webhook = await requireEndpoint(deps.webhooks, caller.organizationId, path.endpoint_id);
    const { deliveries, next } = await deps.deliveries.page(webhook, toPageRequest(query));
    return { body: deliveries.map(toDeliveryResponse), headers: nextCursorHeader(next) };
  },
});

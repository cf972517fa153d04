import { recordEvents } from '../../shared/events/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/kernel/errors.ts';
import { auditedEndpoint, endpointRemover, webhooksWrite } from '../../shared/webhooks/index.ts';

export const deleteWebhookEndpoint = endpoint({
  id: 'delete-webhook-endpoint',
  method: 'DELETE',
  path: '/v1/organization/webhooks/endpoints/{endpoint_id}',
  summary: 'Delete a webhook endpoint',
  description: 'Ends all deliveries to the endpoint, including pending retries.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  audit: {
    action: 'webhook_endpoint.deleted',
    before: auditedEndpoint,
  },
  uses: { webhooks: webhooksWrite, events: recordEvents('webhooks'), provider: endpointRemover },
  status: 204,
  handle: async ({ path, caller, deps }) => {
    const removed = await deps.webhooks.remove(caller.organizationId, path.endpoint_id, deps.events);
    if (!removed) throw notFound('Webhook endpoint');
    await deps.provider.removeEndpoint(caller.organizationId, path.endpoint_id);
    return undefined;
  },
});

import { recordEvents } from '../../shared/events/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/kernel/errors.ts';
import { endpointForgetter, webhooksWrite } from '../../shared/webhooks/index.ts';

export const deleteWebhookEndpoint = endpoint({
  id: 'delete-webhook-endpoint',
  method: 'DELETE',
  path: '/v1/organization/webhooks/endpoints/{endpoint_id}',
  summary: 'Remove a webhook endpoint',
  description: 'Nothing more is sent to it, not even what waits for another attempt.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  uses: { webhooks: webhooksWrite, events: recordEvents('webhooks'), provider: endpointForgetter },
  status: 204,
  handle: async ({ path, caller, deps }) => {
    const removed = await deps.webhooks.remove(caller.organizationId, path.endpoint_id, deps.events);
    if (!removed) throw notFound('Webhook endpoint');
    await deps.provider.forget(caller.organizationId, path.endpoint_id);
    return undefined;
  },
});

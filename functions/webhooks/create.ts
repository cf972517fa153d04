import { hostOf } from '../../shared/http/audit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import {
  addressProblems,
  createEndpoint,
  signingSecrets,
  toEndpointResponse,
  WebhookEndpointCreate,
  WebhookEndpointCreated,
  webhooksWrite,
} from '../../shared/webhooks/index.ts';

export const createWebhookEndpoint = endpoint({
  id: 'create-webhook-endpoint',
  method: 'POST',
  path: '/v1/organization/webhooks/endpoints',
  summary: 'Create a webhook endpoint',
  description: 'The response contains the signing secret, which is returned only once.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  audit: {
    action: 'webhook_endpoint.created',
    before: ({ body }) => ({ name: hostOf(body.url) }),
    after: ({ id }) => ({ id }),
    details: ['event_types', 'description'],
  },
  errorCodes: ['plan_limit_reached'],
  feature: 'webhooks',
  idempotent: true,
  uses: { webhooks: webhooksWrite, secrets: signingSecrets },
  body: WebhookEndpointCreate,
  returnsSecret: true,
  status: 201,
  response: WebhookEndpointCreated,
  problems: ({ body, deps }) => addressProblems(body.url, deps.webhooks),
  handle: async ({ body, caller, deps, idempotency }) => {
    const created = await createEndpoint(deps, caller, body, idempotency);
    return { ...toEndpointResponse(created), secret: created.secret };
  },
});

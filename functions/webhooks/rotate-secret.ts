import { hostOf } from '../../shared/http/audit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import {
  previousSecretExpiry,
  rotateSecret,
  signingSecrets,
  toEndpointResponse,
  WebhookSecretRotated,
  webhooksWrite,
} from '../../shared/webhooks/index.ts';

export const rotateWebhookSecret = endpoint({
  id: 'rotate-webhook-secret',
  method: 'POST',
  path: '/v1/organization/webhooks/endpoints/{endpoint_id}/rotate-secret',
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'The response contains the new signing secret, which is returned only once. For 24 hours every delivery is signed with ' +
    'the old and the new secret, so receivers can verify either. Returns 409 after 4 rotations in 24 hours.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  audit: {
    action: 'webhook_endpoint.secret_rotated',
    before: ({ path }) => ({ id: path.endpoint_id }),
    after: ({ url }) => ({ name: hostOf(url) }),
  },
  errorCodes: ['conflict'],
  idempotent: true,
  uses: { webhooks: webhooksWrite, secrets: signingSecrets },
  returnsSecret: true,
  status: 200,
  response: WebhookSecretRotated,
  handle: async ({ path, caller, deps, idempotency }) => {
    const rotated = await rotateSecret(deps, caller.organizationId, path.endpoint_id, idempotency);
    return {
      ...toEndpointResponse(rotated),
      secret: rotated.secret,
      previous_secret_expires_at: previousSecretExpiry(idempotency.at),
    };
  },
});

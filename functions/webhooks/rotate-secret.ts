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
  summary: 'Replace the secret of a webhook endpoint',
  description:
    'The answer carries the new signing secret, which is shown this once. For 24 hours every delivery is signed with ' +
    'both, so that a receiver verifies by either. At most 4 times in 24 hours: 409.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  refuses: ['conflict'],
  repeatable: true,
  uses: { webhooks: webhooksWrite, secrets: signingSecrets },
  status: 200,
  response: WebhookSecretRotated,
  handle: async ({ path, caller, deps, creation }) => {
    const rotated = await rotateSecret(deps, caller.organizationId, path.endpoint_id, creation);
    return {
      ...toEndpointResponse(rotated),
      secret: rotated.secret,
      previous_secret_expires_at: previousSecretExpiry(creation.at),
    };
  },
});

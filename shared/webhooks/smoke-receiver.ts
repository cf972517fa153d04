import * as z from 'zod';
import { errorResponse, type HttpResult } from '../http/response.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { idPattern, newId } from '../kernel/ids.ts';
import { verifiedPayload } from '../platform/delivery/webhook-signature.ts';
import { validSecrets } from './record.ts';
import type { WebhookReader } from './repository.ts';
import type { SigningSecrets } from './signing-secrets.ts';

/** Webhook request, as API Gateway passes it on. */
export const ReceivedDelivery = z.object({
  headers: z.record(z.string(), z.string()),
  pathParameters: z.object({ organization_id: z.string() }),
  body: z.string().default(''),
});
type ReceivedDelivery = z.infer<typeof ReceivedDelivery>;

/** Route of the receiver for the smoke test of a deployment. */
export const smokeReceiverRoute = {
  method: 'POST',
  path: '/v1/organization/webhooks/receiver/{organization_id}',
} as const;

interface ReceiverDeps {
  readonly webhooks: Pick<WebhookReader, 'list'>;
  readonly secrets: SigningSecrets;
}

const notSigned = (): AppError =>
  new AppError('unauthenticated', 'The request is not signed by a webhook endpoint of the organization');

/**
 * Returns 204 for a request that is signed with the secret of a webhook endpoint of the organization with this path, and 401
 * for any other request. It stores nothing, because the delivery log contains the response.
 */
export const receiveDelivery = async (
  { webhooks, secrets }: ReceiverDeps,
  { headers, pathParameters, body }: ReceivedDelivery,
  clock: Clock,
): Promise<HttpResult> => {
  const now = clock.now();
  const requestId = newId('req', now);
  const { organization_id: organizationId } = pathParameters;
  const refused = errorResponse(notSigned(), requestId);
  // A request without a signature is refused before any read.
  if (headers['webhook-signature'] === undefined) return refused;
  if (!idPattern('org').test(organizationId)) return refused;
  const path = smokeReceiverRoute.path.replace('{organization_id}', organizationId);
  const endpoints = (await webhooks.list(organizationId)).filter(({ url }) => url.endsWith(path));
  for (const endpoint of endpoints) {
    const stored = [endpoint.storedSecret, ...validSecrets(endpoint, now).map(({ secret }) => secret)];
    for (const secret of stored) {
      if (verifiedPayload(await secrets.open(endpoint, secret), headers, body) !== null)
        return { statusCode: 204, headers: { 'x-request-id': requestId }, body: '' };
    }
  }
  return refused;
};

import * as z from 'zod';
import { errorAnswer, type HttpResult } from '../http/answer.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { idPattern, newId } from '../kernel/ids.ts';
import { openedWith } from '../platform/delivery/sign.ts';
import { validSecrets } from './record.ts';
import type { WebhookReader } from './repository.ts';
import type { SigningSecrets } from './secrets.ts';

/** A delivery of a webhook, as the HTTP API hands it over. */
export const ReceivedDelivery = z.object({
  headers: z.record(z.string(), z.string()),
  pathParameters: z.object({ organization_id: z.string() }),
  body: z.string().default(''),
});
type ReceivedDelivery = z.infer<typeof ReceivedDelivery>;

/** Path of the receiver that a deployment has for its own smoke test. */
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
 * Answers 204 to a delivery that is signed by a webhook endpoint which the organization has for this path, and 401 to any
 * other request. It stores nothing: the log of deliveries contains the answer.
 */
export const receiveDelivery = async (
  { webhooks, secrets }: ReceiverDeps,
  { headers, pathParameters, body }: ReceivedDelivery,
  clock: Clock,
): Promise<HttpResult> => {
  const now = clock.now();
  const requestId = newId('req', now);
  const { organization_id: organizationId } = pathParameters;
  const { 'hook-id': id, 'hook-timestamp': timestamp, 'hook-signature': signature } = headers;
  const refused = errorAnswer(notSigned(), requestId);
  // Without them no secret fits, so that a stranger's request costs no read.
  if (id === undefined || timestamp === undefined || signature === undefined) return refused;
  if (!idPattern('org').test(organizationId)) return refused;
  const signed = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  const path = smokeReceiverRoute.path.replace('{organization_id}', organizationId);
  const endpoints = (await webhooks.list(organizationId)).filter(({ url }) => url.endsWith(path));
  for (const endpoint of endpoints) {
    const stored = [endpoint.storedSecret, ...validSecrets(endpoint, now).map(({ secret }) => secret)];
    for (const secret of stored) {
      if (openedWith(await secrets.open(endpoint, secret), signed, body) !== null)
        return { statusCode: 204, headers: { 'x-request-id': requestId }, body: '' };
    }
  }
  return refused;
};

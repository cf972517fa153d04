import * as z from 'zod';
import { errorResponse, type HttpResult, jsonResponse } from '../../http/response.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { idPattern, newId } from '../../kernel/ids.ts';
import { verifiedPayload } from '../../platform/delivery/webhook-signature.ts';
import type { PostOutcome, PublicPost } from '../../platform/delivery/public-fetch.ts';
import { attemptResultOf, isAccepted, isGone, postSigned, retryAfterOf } from '../attempt.ts';
import type { EndpointHealth } from '../endpoint-health.ts';
import type { WebhookReader } from '../repository.ts';
import type { SigningSecrets } from '../signing-secrets.ts';

/** Payload of a message in Svix, which Svix sends to the relay. */
export const SvixEnvelope = z.object({ event_id: z.string(), envelope: z.string() });
export type SvixEnvelope = z.infer<typeof SvixEnvelope>;

/** Request of Svix, as API Gateway passes it on. */
export const SvixRequest = z.object({
  headers: z.record(z.string(), z.string()),
  pathParameters: z.object({ organization_id: z.string(), endpoint_id: z.string() }),
  body: z.string().default(''),
});
type SvixRequest = z.infer<typeof SvixRequest>;

/** Route of requests from Svix to the relay. */
export const relayRoute = {
  method: 'POST',
  path: '/v1/organization/webhooks/relay/{organization_id}/{endpoint_id}',
} as const;

interface RelayDeps {
  readonly webhooks: Pick<WebhookReader, 'get'>;
  readonly health: EndpointHealth;
  readonly post: PublicPost;
  readonly secrets: SigningSecrets;
}

const notSigned = (): AppError => new AppError('unauthenticated', 'The request is not signed by the delivery provider');

interface RelayedAttempt {
  readonly outcome: PostOutcome;
  readonly durationMs: number;
  readonly stopped: boolean;
}

/** Returns the response to Svix. Any failure of the receiver is a 409, which is not a failure of this service. */
const responseOf = ({ outcome, durationMs, stopped }: RelayedAttempt, requestId: string): HttpResult => {
  const retryAfter = retryAfterOf(outcome);
  return jsonResponse(
    isAccepted(outcome) ? 200 : 409,
    {
      ...('status' in outcome ? { status_code: outcome.status } : { error: outcome.failure }),
      duration_ms: durationMs,
    },
    requestId,
    {
      ...(stopped ? { 'webhook-delivery': 'disable' } : {}),
      ...(retryAfter === null ? {} : { 'retry-after': retryAfter }),
    },
  );
};

/**
 * Relays one request of Svix to the receiver. Verifies the signature of Svix, signs the envelope with the secrets of the
 * endpoint under the header names of this service, and returns the outcome. Returns 401 if the signature is wrong or the
 * endpoint does not exist, so the response does not reveal which endpoints exist.
 */
export const relayFromSvix = async (
  { webhooks, health, post, secrets }: RelayDeps,
  { headers, pathParameters, body }: SvixRequest,
  clock: Clock,
): Promise<HttpResult> => {
  const requestId = newId('req', clock.now());
  const { organization_id: organizationId, endpoint_id: endpointId } = pathParameters;
  const isNamed = idPattern('org').test(organizationId) && idPattern('we').test(endpointId);
  const endpoint = isNamed ? await webhooks.get(organizationId, endpointId) : null;
  const stored = endpoint?.channelSecret ?? null;
  const secret = endpoint === null || stored === null ? null : await secrets.open(endpoint, stored);
  const message = SvixEnvelope.safeParse(secret === null ? null : verifiedPayload(secret, headers, body));
  if (endpoint === null || !message.success) return errorResponse(notSigned(), requestId);
  // A success ends the retries of Svix.
  if (endpoint.disabledReason !== null) return jsonResponse(200, { dropped: true }, requestId);
  const event = { eventId: message.data.event_id, body: message.data.envelope };
  const { outcome, durationMs } = await postSigned({ post, secrets }, endpoint, event, clock);
  const stopped = isGone(outcome) && (await health.markGone(endpoint));
  await health.recordAttempt(endpoint, attemptResultOf(outcome, durationMs), 'concurrent');
  return responseOf({ outcome, durationMs, stopped }, requestId);
};

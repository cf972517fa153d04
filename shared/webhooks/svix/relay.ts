import * as z from 'zod';
import { errorAnswer, type HttpResult, json } from '../../http/answer.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { idPattern, newId } from '../../kernel/ids.ts';
import { openedWith } from '../../platform/delivery/sign.ts';
import type { PostOutcome, PublicPost } from '../../platform/delivery/public-fetch.ts';
import { endingOf, isAccepted, isGone, postSigned, retryAfterOf } from '../attempt.ts';
import type { EndpointHealth } from '../health.ts';
import type { WebhookReader } from '../repository.ts';
import type { SigningSecrets } from '../secrets.ts';

/** What Svix is given to send, and brings to the relay. */
export const SvixEnvelope = z.object({ event_id: z.string(), envelope: z.string() });
export type SvixEnvelope = z.infer<typeof SvixEnvelope>;

/** A request of Svix, as the HTTP API hands it over. */
export const SvixRequest = z.object({
  headers: z.record(z.string(), z.string()),
  pathParameters: z.object({ organization_id: z.string(), endpoint_id: z.string() }),
  body: z.string().default(''),
});
type SvixRequest = z.infer<typeof SvixRequest>;

/** Where the HTTP API leads requests of Svix to the relay. */
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

interface Attempted {
  readonly outcome: PostOutcome;
  readonly durationMs: number;
  readonly stopped: boolean;
}

/** Failures are a 409, whatever the receiver said: what is wrong lies with it, and not with this service. */
const answerOf = ({ outcome, durationMs, stopped }: Attempted, requestId: string): HttpResult => {
  const retryAfter = retryAfterOf(outcome);
  return json(
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
 * Brings one request of Svix to the receiver, and answers what Svix acts on and keeps: checks that Svix signed it, signs the envelope with the secrets of the
 * endpoint under our header names, and answers as the receiver did. What Svix did not sign is a 401, and so is what comes
 * for an endpoint that is not there, so that nobody learns which there are.
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
  const message = SvixEnvelope.safeParse(secret === null ? null : openedWith(secret, headers, body));
  if (endpoint === null || !message.success) return errorAnswer(notSigned(), requestId);
  // A success, so that Svix tries no more.
  if (endpoint.disabledReason !== null) return json(200, { dropped: true }, requestId);
  const event = { eventId: message.data.event_id, body: message.data.envelope };
  const { outcome, durationMs } = await postSigned({ post, secrets }, endpoint, event, clock);
  const stopped = isGone(outcome) && (await health.markGone(endpoint));
  await health.note(endpoint, endingOf(outcome, durationMs), 'beside');
  return answerOf({ outcome, durationMs, stopped }, requestId);
};

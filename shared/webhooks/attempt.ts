import type { Clock } from '../kernel/clock.ts';
import type { PostOutcome, PublicPost } from '../platform/delivery/public-fetch.ts';
import { signatureHeaders } from '../platform/delivery/webhook-signature.ts';
import type { EndpointHealth } from './endpoint-health.ts';
import { validSecrets, type WebhookEndpoint } from './record.ts';
import type { SigningSecrets } from './signing-secrets.ts';

const gone = 410;

/** Whether the receiver accepted the event. */
export const isAccepted = (outcome: PostOutcome): boolean =>
  'status' in outcome && outcome.status >= 200 && outcome.status < 300;

/** Whether the receiver refuses all further events. */
export const isGone = (outcome: PostOutcome): boolean => 'status' in outcome && outcome.status === gone;

/** Returns the `Retry-After` header of the receiver; null if it sent none. */
export const retryAfterOf = (outcome: PostOutcome): string | null => ('status' in outcome ? outcome.retryAfter : null);

/** Signs a body with all valid secrets of an endpoint, and posts it. */
export const postSigned = async (
  { post, secrets }: { readonly post: PublicPost; readonly secrets: SigningSecrets },
  endpoint: WebhookEndpoint,
  { eventId, body }: { readonly eventId: string; readonly body: string },
  clock: Clock,
): Promise<{ readonly outcome: PostOutcome; readonly at: Date; readonly durationMs: number }> => {
  const startedAt = clock.now();
  const stored = [endpoint.storedSecret, ...validSecrets(endpoint, startedAt).map(({ secret }) => secret)];
  const opened = await Promise.all(stored.map((secret) => secrets.open(endpoint, secret)));
  const outcome = await post({
    url: endpoint.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Strata-Webhooks/1',
      ...signatureHeaders(opened, eventId, startedAt, body),
    },
    body,
  });
  const at = clock.now();
  return { outcome, at, durationMs: at.getTime() - startedAt.getTime() };
};

/** Limit of a quick attempt. Concurrent slow attempts to one receiver would occupy workers that other attempts need. */
const quickMs = 3_000;

/** Classifies the outcome of an attempt for the health of its endpoint. */
export const attemptResultOf = (
  outcome: PostOutcome,
  durationMs: number,
): Parameters<EndpointHealth['recordAttempt']>[1] => {
  const failure = 'failure' in outcome ? outcome.failure : null;
  const quick = failure !== 'timeout' && durationMs <= quickMs;
  return { accepted: isAccepted(outcome), quick, silent: failure !== null && !quick };
};

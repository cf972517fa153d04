import type { Clock } from '../kernel/clock.ts';
import type { PostOutcome, PublicPost } from '../platform/delivery/public-fetch.ts';
import { signatureHeaders } from '../platform/delivery/sign.ts';
import type { EndpointHealth } from './health.ts';
import { validSecrets, type WebhookEndpoint } from './record.ts';
import type { SigningSecrets } from './secrets.ts';

const gone = 410;

/** Whether the receiver took the event. */
export const isAccepted = (outcome: PostOutcome): boolean =>
  'status' in outcome && outcome.status >= 200 && outcome.status < 300;

/** Whether the receiver wants nothing any more. */
export const isGone = (outcome: PostOutcome): boolean => 'status' in outcome && outcome.status === gone;

/** What the receiver asked for; null where it asked for nothing. */
export const retryAfterOf = (outcome: PostOutcome): string | null => ('status' in outcome ? outcome.retryAfter : null);

/** Signs a body with all secrets of an endpoint that are good now, and posts it. */
export const postSigned = async (
  { post, secrets }: { readonly post: PublicPost; readonly secrets: SigningSecrets },
  endpoint: WebhookEndpoint,
  { eventId, body }: { readonly eventId: string; readonly body: string },
  clock: Clock,
): Promise<{ readonly outcome: PostOutcome; readonly at: Date; readonly durationMs: number }> => {
  const begun = clock.now();
  const stored = [endpoint.storedSecret, ...validSecrets(endpoint, begun).map(({ secret }) => secret)];
  const opened = await Promise.all(stored.map((secret) => secrets.open(endpoint, secret)));
  const outcome = await post({
    url: endpoint.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Strata-Webhooks/1',
      ...signatureHeaders(opened, eventId, begun, body),
    },
    body,
  });
  const at = clock.now();
  return { outcome, at, durationMs: at.getTime() - begun.getTime() };
};

/** Beyond this, attempts at one receiver side by side would hold runs that others wait for. */
const quickMs = 3_000;

/** What an attempt says of its receiver. */
export const endingOf = (outcome: PostOutcome, durationMs: number): Parameters<EndpointHealth['note']>[1] => {
  const failure = 'failure' in outcome ? outcome.failure : null;
  const quick = failure !== 'timeout' && durationMs <= quickMs;
  return { accepted: isAccepted(outcome), quick, silent: failure !== null && !quick };
};

import type { Clock } from '../kernel/clock.ts';
import type { PostOutcome, PublicPost } from '../platform/delivery/public-fetch.ts';
import { signatureHeaders } from '../platform/delivery/sign.ts';
import type { AttemptRecord, Deliveries, Delivery } from './deliveries.ts';
import type { WebhookEndpoint, WebhookWriter } from './repository.ts';
import { attemptDelaysMs, nextAttemptAt } from './schedule.ts';
import type { DeliveryRef } from './schemas.ts';

/** What an attempt may touch. */
export interface DeliverDeps {
  readonly webhooks: Pick<WebhookWriter, 'get' | 'markGone'>;
  readonly deliveries: Pick<Deliveries, 'get' | 'claim' | 'finish' | 'postpone'>;
  readonly events: { body(organizationId: string, eventId: string): Promise<string | null> };
  readonly post: PublicPost;
  readonly retries: RetrySender;
}

/** Asks for an attempt after a while; does nothing where the wait is beyond a queue, for then the sweep asks. */
export interface RetrySender {
  sendIn(delayMs: number, delivery: DeliveryRef): Promise<void>;
}

/** Longer than a run of the worker can take, so that no attempt is begun beside one that lives. */
const leaseMs = 60_000;
const gone = 410;

const isSuccess = (outcome: PostOutcome): boolean =>
  'status' in outcome && outcome.status >= 200 && outcome.status < 300;

const recordOf = (
  attempt: number,
  at: Date,
  outcome: PostOutcome | { readonly failure: 'interrupted' },
): AttemptRecord => ({
  attempt,
  at: at.toISOString(),
  status_code: 'status' in outcome ? outcome.status : null,
  error: 'failure' in outcome ? outcome.failure : null,
});

/** Sets the next attempt, or gives up after the last. */
const retryLater = async (
  deps: DeliverDeps,
  delivery: Delivery,
  record: AttemptRecord,
  retryAfter: string | null,
  now: Date,
): Promise<void> => {
  const at = nextAttemptAt({ deliveryId: delivery.id, attempt: delivery.attempt, retryAfter }, now);
  if (at === null) {
    await deps.deliveries.finish(delivery, 'failed', record);
  } else if (await deps.deliveries.postpone(delivery, at, record)) {
    await deps.retries.sendIn(at.getTime() - now.getTime(), {
      organization_id: delivery.organizationId,
      endpoint_id: delivery.endpointId,
      delivery_id: delivery.id,
    });
  }
};

const settle = async (
  deps: DeliverDeps,
  endpoint: WebhookEndpoint,
  delivery: Delivery,
  outcome: PostOutcome,
  now: Date,
): Promise<void> => {
  const record = recordOf(delivery.attempt, now, outcome);
  if (isSuccess(outcome)) {
    await deps.deliveries.finish(delivery, 'delivered', record);
  } else if ('status' in outcome && outcome.status === gone) {
    await deps.webhooks.markGone(endpoint);
    await deps.deliveries.finish(delivery, 'failed', record);
  } else {
    await retryLater(deps, delivery, record, 'status' in outcome ? outcome.retryAfter : null, now);
  }
};

/**
 * Makes one attempt at a delivery that is due: claims it, signs and posts the stored envelope, and notes how it went.
 * Does nothing where the delivery is done, not yet due or in other hands; drops it where the endpoint stopped receiving.
 * A run that dies leaves the claim to expire, and the sweep brings the delivery back.
 */
export const attemptDelivery = async (deps: DeliverDeps, ref: DeliveryRef, clock: Clock): Promise<void> => {
  const delivery = await deps.deliveries.get(ref);
  const begun = clock.now();
  if (delivery?.status !== 'pending' || (delivery.dueAt ?? '') > begun.toISOString()) return;
  const [endpoint, body] = await Promise.all([
    deps.webhooks.get(ref.organization_id, ref.endpoint_id),
    deps.events.body(ref.organization_id, delivery.eventId),
  ]);
  if (endpoint === null || endpoint.disabledReason !== null || body === null) {
    await deps.deliveries.finish(delivery, 'dropped');
    return;
  }
  if (delivery.attempt >= attemptDelaysMs.length) {
    await deps.deliveries.finish(delivery, 'failed');
    return;
  }
  const claimed = await deps.deliveries.claim(delivery, new Date(begun.getTime() + leaseMs));
  if (claimed === null) return;
  const at = clock.now();
  const outcome = await deps.post({
    url: endpoint.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Strata-Webhooks/1',
      ...signatureHeaders([endpoint.secret], delivery.eventId, at, body),
    },
    body,
  });
  await settle(deps, endpoint, claimed, outcome, clock.now());
};

/** Counts an attempt whose message failed again and again as a failed one, so that no delivery comes back for ever. */
export const abandonAttempt = async (deps: DeliverDeps, ref: DeliveryRef, clock: Clock): Promise<void> => {
  const delivery = await deps.deliveries.get(ref);
  const now = clock.now();
  if (delivery?.status !== 'pending' || (delivery.dueAt ?? '') > now.toISOString()) return;
  const claimed = await deps.deliveries.claim(delivery, now);
  if (claimed !== null)
    await retryLater(deps, claimed, recordOf(claimed.attempt, now, { failure: 'interrupted' }), null, now);
};

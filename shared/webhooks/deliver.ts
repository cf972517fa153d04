import { type Clock, laterBy } from '../kernel/clock.ts';
import { memoizePerKey } from '../kernel/memoize.ts';
import type { PostOutcome, PublicPost } from '../platform/delivery/public-fetch.ts';
import { attemptResultOf, isAccepted, isGone, postSigned, retryAfterOf } from './attempt.ts';
import type { Deliveries } from './deliveries.ts';
import { type StartedDelivery, refOf } from './delivery-record.ts';
import type { AttemptRecord } from './delivery-schemas.ts';
import type { EndpointHealth } from './endpoint-health.ts';
import type { WebhookEndpoint } from './record.ts';
import type { WebhookReader } from './repository.ts';
import { attemptDelaysMs, nextAttemptAt, deferredUntil } from './retry-schedule.ts';
import type { DeliveryRef } from './schemas.ts';
import type { SigningSecrets } from './signing-secrets.ts';

/** Dependencies of a delivery attempt. */
export interface DeliverDeps {
  readonly webhooks: Pick<WebhookReader, 'get' | 'list'>;
  readonly health: EndpointHealth;
  readonly deliveries: Pick<Deliveries, 'claim' | 'peek' | 'drop' | 'finish' | 'postpone' | 'defer'>;
  readonly events: { body(organizationId: string, eventId: string): Promise<string | null> };
  readonly post: PublicPost;
  readonly secrets: SigningSecrets;
  readonly retries: RetrySender;
}

/** Enqueues an attempt after a delay. Does nothing if the delay exceeds that of a queue; the sweep enqueues it then. */
export interface RetrySender {
  sendIn(delayMs: number, delivery: DeliveryRef): Promise<void>;
}

/** Lease of an attempt. It exceeds the timeout of the worker, so no second attempt starts while one runs. */
const leaseMs = 60_000;

type Outcome = PostOutcome | { readonly failure: 'interrupted' | 'endpoint_unresponsive' };

/** Attempt that has started. */
interface Attempt {
  readonly endpoint: WebhookEndpoint;
  readonly delivery: StartedDelivery;
  readonly body: string;
  readonly mode: Parameters<EndpointHealth['recordAttempt']>[2];
}

const recordOf = (attempt: number, outcome: Outcome, at: Date, durationMs: number | null): AttemptRecord => ({
  attempt,
  at: at.toISOString(),
  status_code: 'status' in outcome ? outcome.status : null,
  error: 'failure' in outcome ? outcome.failure : null,
  duration_ms: durationMs,
});

const enqueueRetry = (deps: DeliverDeps, delivery: StartedDelivery, at: Date, now: Date): Promise<void> =>
  deps.retries.sendIn(at.getTime() - now.getTime(), refOf(delivery));

/** Schedules the next attempt. After the last attempt the delivery has failed. */
const scheduleRetry = async (
  deps: DeliverDeps,
  delivery: StartedDelivery,
  record: AttemptRecord,
  retryAfter: string | null,
  now: Date,
): Promise<void> => {
  const at = nextAttemptAt({ deliveryId: delivery.id, attempt: delivery.attempt, retryAfter }, now);
  if (at === null) await deps.deliveries.finish(delivery, 'failed', record);
  else if (await deps.deliveries.postpone(delivery, at, record)) await enqueueRetry(deps, delivery, at, now);
};

const finishAttempt = async (
  deps: DeliverDeps,
  { endpoint, delivery }: Attempt,
  record: AttemptRecord,
  outcome: PostOutcome,
  now: Date,
): Promise<void> => {
  if (isAccepted(outcome)) {
    await deps.deliveries.finish(delivery, 'delivered', record);
  } else if (isGone(outcome) && (await deps.health.markGone(endpoint))) {
    await deps.deliveries.finish(delivery, 'failed', record);
  } else {
    await scheduleRetry(deps, delivery, record, retryAfterOf(outcome), now);
  }
};

const send = async (deps: DeliverDeps, attempt: Attempt, clock: Clock): Promise<void> => {
  const { endpoint, delivery, body, mode } = attempt;
  const { outcome, at, durationMs } = await postSigned(deps, endpoint, { eventId: delivery.eventId, body }, clock);
  const record = recordOf(delivery.attempt, outcome, at, durationMs);
  await finishAttempt(deps, attempt, record, outcome, at);
  await deps.health.recordAttempt(endpoint, attemptResultOf(outcome, durationMs), mode);
};

/** Records a failed attempt without making it, because the receiver hangs. */
const skip = async (deps: DeliverDeps, delivery: StartedDelivery, now: Date): Promise<void> => {
  const record = recordOf(delivery.attempt, { failure: 'endpoint_unresponsive' }, now, null);
  await scheduleRetry(deps, delivery, record, null, now);
};

/** Postpones an attempt without counting it. */
const deferAttempt = async (deps: DeliverDeps, delivery: StartedDelivery, now: Date): Promise<void> => {
  const at = deferredUntil(delivery, now);
  if (await deps.deliveries.defer(delivery, at)) await enqueueRetry(deps, delivery, at, now);
};

/** Handlers of an attempt that the circuit breaker rejects. */
const onRejection = { skip, wait: deferAttempt } as const;

/**
 * Makes one attempt of a due delivery: claims it, signs and posts the stored envelope, and records the outcome. Does
 * nothing if the delivery is done, not due or claimed by another run. Drops it if the endpoint is disabled. The claim of a
 * run that dies expires, and the sweep enqueues the delivery again.
 */
export const attemptDelivery = async (deps: DeliverDeps, ref: DeliveryRef, clock: Clock): Promise<void> => {
  const startedAt = clock.now();
  const endpoint = await deps.webhooks.get(ref.organization_id, ref.endpoint_id);
  if (endpoint === null || endpoint.disabledReason !== null) {
    await deps.deliveries.drop(ref, startedAt);
    return;
  }
  const rejection = deps.health.knownRejection(endpoint);
  if (rejection !== null) {
    const delivery = await deps.deliveries.peek(ref, startedAt);
    if (delivery !== null) await onRejection[rejection](deps, delivery, startedAt);
    return;
  }
  const delivery = await deps.deliveries.claim(ref, startedAt, laterBy(startedAt, leaseMs));
  if (delivery === null) return;
  if (delivery.attempt > attemptDelaysMs.length) {
    await deps.deliveries.finish(delivery, 'failed');
    return;
  }
  const body = delivery.body ?? (await deps.events.body(ref.organization_id, delivery.eventId));
  if (body === null) {
    await deps.deliveries.finish(delivery, 'dropped');
    return;
  }
  const mode = await deps.health.acquireAttempt(endpoint);
  if (mode === 'wait' || mode === 'skip') await onRejection[mode](deps, delivery, startedAt);
  else await send(deps, { endpoint, delivery, body, mode }, clock);
};

/** Counts an attempt as failed after the retries of its message are exhausted, so every delivery ends. */
export const abandonAttempt = async (deps: DeliverDeps, ref: DeliveryRef, clock: Clock): Promise<void> => {
  const now = clock.now();
  const claimed = await deps.deliveries.claim(ref, now, now);
  if (claimed === null) return;
  const record = recordOf(claimed.attempt, { failure: 'interrupted' }, now, null);
  await scheduleRetry(deps, claimed, record, null, now);
};

/** From this number of endpoints on, one query for all endpoints of the organization is cheaper than single reads. */
const minListed = 3;

const endpointReader = (
  webhooks: DeliverDeps['webhooks'],
  refs: readonly DeliveryRef[],
): DeliverDeps['webhooks']['get'] => {
  const wanted = Map.groupBy(refs, ({ organization_id: id }) => id);
  const sizes = new Map([...wanted].map(([id, some]) => [id, new Set(some.map((ref) => ref.endpoint_id)).size]));
  const list = memoizePerKey((organizationId: string) => webhooks.list(organizationId));
  const get = memoizePerKey((organizationId: string, id: string) => webhooks.get(organizationId, id));
  return async (organizationId, endpointId) => {
    if ((sizes.get(organizationId) ?? 0) < minListed) return get(organizationId, endpointId);
    return (await list(organizationId)).find(({ id }) => id === endpointId) ?? null;
  };
};

/** Caches reads of events and endpoints among the messages of one run. */
export const withCachedReads = (deps: DeliverDeps, refs: readonly DeliveryRef[]): DeliverDeps => ({
  ...deps,
  webhooks: { ...deps.webhooks, get: endpointReader(deps.webhooks, refs) },
  events: { body: memoizePerKey((organizationId: string, id: string) => deps.events.body(organizationId, id)) },
});

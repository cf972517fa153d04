import { type Clock, laterBy } from '../kernel/clock.ts';
import { memoizePerKey } from '../kernel/memoize.ts';
import type { PostOutcome, PublicPost } from '../platform/delivery/public-fetch.ts';
import { endingOf, isAccepted, isGone, postSigned, retryAfterOf } from './attempt.ts';
import type { Deliveries } from './deliveries.ts';
import { type BegunDelivery, refOf } from './delivery-record.ts';
import type { AttemptRecord } from './delivery-schemas.ts';
import type { EndpointHealth } from './health.ts';
import type { WebhookEndpoint } from './record.ts';
import type { WebhookReader } from './repository.ts';
import { attemptDelaysMs, nextAttemptAt, nextTurnAt } from './schedule.ts';
import type { DeliveryRef } from './schemas.ts';
import type { SigningSecrets } from './secrets.ts';

/** What an attempt may touch. */
export interface DeliverDeps {
  readonly webhooks: Pick<WebhookReader, 'get' | 'list'>;
  readonly health: EndpointHealth;
  readonly deliveries: Pick<Deliveries, 'claim' | 'peek' | 'drop' | 'finish' | 'postpone' | 'defer'>;
  readonly events: { body(organizationId: string, eventId: string): Promise<string | null> };
  readonly post: PublicPost;
  readonly secrets: SigningSecrets;
  readonly retries: RetrySender;
}

/** Asks for an attempt after a while; does nothing where the wait is beyond a queue, for then the sweep asks. */
export interface RetrySender {
  sendIn(delayMs: number, delivery: DeliveryRef): Promise<void>;
}

/** Longer than a run of the worker can take, so that no attempt is begun beside one that lives. */
const leaseMs = 60_000;

type Outcome = PostOutcome | { readonly failure: 'interrupted' | 'endpoint_unresponsive' };

/** An attempt that has begun. */
interface Attempt {
  readonly endpoint: WebhookEndpoint;
  readonly delivery: BegunDelivery;
  readonly body: string;
  readonly turn: Parameters<EndpointHealth['note']>[2];
}

const recordOf = (attempt: number, outcome: Outcome, at: Date, durationMs: number | null): AttemptRecord => ({
  attempt,
  at: at.toISOString(),
  status_code: 'status' in outcome ? outcome.status : null,
  error: 'failure' in outcome ? outcome.failure : null,
  duration_ms: durationMs,
});

const askAgain = (deps: DeliverDeps, delivery: BegunDelivery, at: Date, now: Date): Promise<void> =>
  deps.retries.sendIn(at.getTime() - now.getTime(), refOf(delivery));

/** Sets the next attempt, or gives up after the last. */
const retryLater = async (
  deps: DeliverDeps,
  delivery: BegunDelivery,
  record: AttemptRecord,
  retryAfter: string | null,
  now: Date,
): Promise<void> => {
  const at = nextAttemptAt({ deliveryId: delivery.id, attempt: delivery.attempt, retryAfter }, now);
  if (at === null) await deps.deliveries.finish(delivery, 'failed', record);
  else if (await deps.deliveries.postpone(delivery, at, record)) await askAgain(deps, delivery, at, now);
};

const settle = async (
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
    await retryLater(deps, delivery, record, retryAfterOf(outcome), now);
  }
};

const send = async (deps: DeliverDeps, attempt: Attempt, clock: Clock): Promise<void> => {
  const { endpoint, delivery, body, turn } = attempt;
  const { outcome, at, durationMs } = await postSigned(deps, endpoint, { eventId: delivery.eventId, body }, clock);
  const record = recordOf(delivery.attempt, outcome, at, durationMs);
  await settle(deps, attempt, record, outcome, at);
  await deps.health.note(endpoint, endingOf(outcome, durationMs), turn);
};

/** Notes an attempt at a receiver that hangs without making it, in a single write. */
const skip = async (deps: DeliverDeps, delivery: BegunDelivery, now: Date): Promise<void> => {
  const record = recordOf(delivery.attempt, { failure: 'endpoint_unresponsive' }, now, null);
  await retryLater(deps, delivery, record, null, now);
};

/** Leaves an attempt for later, which is then still to be made. */
const putOff = async (deps: DeliverDeps, delivery: BegunDelivery, now: Date): Promise<void> => {
  const at = nextTurnAt(delivery, now);
  if (await deps.deliveries.defer(delivery, at)) await askAgain(deps, delivery, at, now);
};

/** What becomes of an attempt that may not begin beside another. */
const refused = { skip, wait: putOff } as const;

/**
 * Makes one attempt at a delivery that is due: claims it, signs and posts the stored envelope, and notes how it went.
 * Does nothing where the delivery is done, not yet due or in other hands; drops it where the endpoint stopped receiving.
 * A run that dies leaves the claim to expire, and the sweep brings the delivery back.
 */
export const attemptDelivery = async (deps: DeliverDeps, ref: DeliveryRef, clock: Clock): Promise<void> => {
  const begun = clock.now();
  const endpoint = await deps.webhooks.get(ref.organization_id, ref.endpoint_id);
  if (endpoint === null || endpoint.disabledReason !== null) {
    await deps.deliveries.drop(ref, begun);
    return;
  }
  const refusal = deps.health.refusal(endpoint);
  if (refusal !== null) {
    const delivery = await deps.deliveries.peek(ref, begun);
    if (delivery !== null) await refused[refusal](deps, delivery, begun);
    return;
  }
  const delivery = await deps.deliveries.claim(ref, begun, laterBy(begun, leaseMs));
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
  const turn = await deps.health.takeTurn(endpoint);
  if (turn === 'wait' || turn === 'skip') await refused[turn](deps, delivery, begun);
  else await send(deps, { endpoint, delivery, body, turn }, clock);
};

/** Counts an attempt whose message failed again and again as a failed one, so that no delivery comes back for ever. */
export const abandonAttempt = async (deps: DeliverDeps, ref: DeliveryRef, clock: Clock): Promise<void> => {
  const now = clock.now();
  const claimed = await deps.deliveries.claim(ref, now, now);
  if (claimed === null) return;
  const record = recordOf(claimed.attempt, { failure: 'interrupted' }, now, null);
  await retryLater(deps, claimed, record, null, now);
};

/** So many endpoints of one organization are read as a list: one request, for less than they cost one by one. */
const listedFrom = 3;

const endpointReader = (
  webhooks: DeliverDeps['webhooks'],
  refs: readonly DeliveryRef[],
): DeliverDeps['webhooks']['get'] => {
  const wanted = Map.groupBy(refs, ({ organization_id: id }) => id);
  const sizes = new Map([...wanted].map(([id, some]) => [id, new Set(some.map((ref) => ref.endpoint_id)).size]));
  const list = memoizePerKey((organizationId: string) => webhooks.list(organizationId));
  const get = memoizePerKey((organizationId: string, id: string) => webhooks.get(organizationId, id));
  return async (organizationId, endpointId) => {
    if ((sizes.get(organizationId) ?? 0) < listedFrom) return get(organizationId, endpointId);
    return (await list(organizationId)).find(({ id }) => id === endpointId) ?? null;
  };
};

/** For the messages of one run, which share events and endpoints: reads each of them once. */
export const readingOnce = (deps: DeliverDeps, refs: readonly DeliveryRef[]): DeliverDeps => ({
  ...deps,
  webhooks: { ...deps.webhooks, get: endpointReader(deps.webhooks, refs) },
  events: { body: memoizePerKey((organizationId: string, id: string) => deps.events.body(organizationId, id)) },
});

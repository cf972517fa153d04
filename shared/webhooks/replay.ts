import type { EventReader, EventType } from '../events/index.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import { invalid, notFound } from '../kernel/errors.ts';
import { derivedId } from '../kernel/ids.ts';
import type { NewDelivery } from './delivery-record.ts';
import type { EventRangeReplay, ReplayRef } from './delivery-schemas.ts';
import type { DeliveryStarter } from './publish.ts';
import { isSubscribed, type WebhookEndpoint } from './record.ts';
import type { Replay, Replays } from './replay-repository.ts';
import type { WebhookReader } from './repository.ts';
import { requireEnabled } from './require.ts';

interface ReplayDeps {
  readonly webhooks: WebhookReader;
  readonly events: Pick<EventReader, 'get' | 'body'>;
  readonly starter: DeliveryStarter;
}

interface RangeDeps {
  readonly webhooks: WebhookReader;
  readonly events: Pick<EventReader, 'between'>;
  readonly replays: Replays;
}

interface StepDeps {
  readonly webhooks: WebhookReader;
  readonly events: Pick<EventReader, 'between'>;
  readonly starter: DeliveryStarter;
  readonly replays: Replays;
}

type Accepted = { readonly events: number; readonly endpoints: number };

/** Limit of events in a range, which keeps the time to count them short. */
const maxEvents = 10_000;
const eventsPerStep = 25;
/** Limit of deliveries in a step, which a run can send before its timeout. */
const deliveriesPerStep = 250;

const deliveryOf = (
  replay: { readonly id: string; readonly createdAt: Date },
  event: { readonly id: string; readonly type: EventType },
  { id: endpointId, organizationId }: WebhookEndpoint,
): NewDelivery => ({
  id: derivedId('dlv', replay.createdAt, replay.id, event.id, endpointId),
  organizationId,
  endpointId,
  eventId: event.id,
  eventType: event.type,
  trigger: 'replay',
  body: null,
  createdAt: replay.createdAt.toISOString(),
});

/**
 * Sends an event again with the same id and body: to one endpoint, even if it does not subscribe to the type, or to all
 * enabled endpoints that do. Throws 404, and 409 if the endpoint is disabled.
 */
export const replayEvent = async (
  { webhooks, events, starter }: ReplayDeps,
  organizationId: string,
  { eventId, endpointId }: { readonly eventId: string; readonly endpointId: string | undefined },
  idempotency: IdempotencyContext,
): Promise<Accepted> => {
  const event = await events.get(organizationId, eventId);
  if (event === null || (await events.body(organizationId, eventId)) === null) throw notFound('Event');
  const endpoints =
    endpointId === undefined
      ? (await webhooks.list(organizationId)).filter((endpoint) => isSubscribed(endpoint, event.type))
      : [await requireEnabled(webhooks, organizationId, endpointId)];
  const replay = { id: idempotency.id('dlv'), createdAt: idempotency.at };
  await starter.start(endpoints.map((endpoint) => deliveryOf(replay, event, endpoint)));
  return { events: endpoints.length === 0 ? 0 : 1, endpoints: endpoints.length };
};

const targetEndpoints = async (
  webhooks: WebhookReader,
  { organizationId, endpointId }: Pick<Replay, 'organizationId' | 'endpointId'>,
): Promise<readonly WebhookEndpoint[]> =>
  (await webhooks.list(organizationId)).filter(
    ({ id, disabledReason }) => disabledReason === null && (endpointId === null || id === endpointId),
  );

/**
 * Starts a replay of the events of a time range. Each endpoint receives the types that it subscribes to. The events are
 * sent again in steps, oldest first. Throws 404, 409 if the endpoint is disabled, and 422 for more than 10,000 events.
 */
export const replayRange = async (
  { webhooks, events, replays }: RangeDeps,
  organizationId: string,
  body: EventRangeReplay,
  idempotency: IdempotencyContext,
): Promise<Accepted> => {
  const range = { from: new Date(body.from), to: new Date(body.to), types: body.event_types };
  if (body.endpoint_id !== undefined) await requireEnabled(webhooks, organizationId, body.endpoint_id);
  const replay: Replay = {
    id: idempotency.id('dlv'),
    organizationId,
    range,
    endpointId: body.endpoint_id ?? null,
    createdAt: idempotency.at,
    cursor: null,
  };
  const endpoints = await targetEndpoints(webhooks, replay);
  let [total, subscribed] = [0, 0];
  for await (const { type } of events.between(organizationId, range)) {
    total += 1;
    if (total > maxEvents) throw invalid(['body', 'from'], `the range must contain at most ${maxEvents} events`);
    if (endpoints.some((endpoint) => isSubscribed(endpoint, type))) subscribed += 1;
  }
  if (subscribed > 0) await replays.add(replay);
  return { events: subscribed, endpoints: endpoints.length };
};

/** Runs the next step of a replay. Idempotent, also when two runs execute it concurrently. */
export const continueReplay = async (
  { webhooks, events, starter, replays }: StepDeps,
  ref: ReplayRef,
): Promise<void> => {
  const replay = await replays.get(ref);
  if (replay === null) return;
  const endpoints = await targetEndpoints(webhooks, replay);
  const batchSize = Math.max(1, Math.min(eventsPerStep, Math.floor(deliveriesPerStep / Math.max(1, endpoints.length))));
  const batch: { readonly id: string; readonly type: EventType }[] = [];
  for await (const event of events.between(replay.organizationId, replay.range, replay.cursor ?? undefined)) {
    batch.push(event);
    if (batch.length === batchSize) break;
  }
  await starter.start(
    batch.flatMap((event) =>
      endpoints
        .filter((endpoint) => isSubscribed(endpoint, event.type))
        .map((endpoint) => deliveryOf(replay, event, endpoint)),
    ),
  );
  const last = batch.at(-1);
  if (last === undefined || batch.length < batchSize) await replays.finish(replay);
  else await replays.advance(replay, last.id);
};

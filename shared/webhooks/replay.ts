import type { EventReader, EventType } from '../events/index.ts';
import type { Creation } from '../http/creation.ts';
import { invalid, notFound } from '../kernel/errors.ts';
import { derivedId } from '../kernel/ids.ts';
import type { NewDelivery } from './delivery-record.ts';
import type { EventRangeReplay, ReplayRef } from './delivery-schemas.ts';
import type { DeliveryStarter } from './publish.ts';
import { wants, type WebhookEndpoint } from './record.ts';
import type { Replay, Replays } from './replays.ts';
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

/** Most events that the range of one request may hold, so that the count stays a matter of a moment. */
const mostEvents = 10_000;
const eventsPerStep = 25;
/** So many a step sends out within its time, however many endpoints there are. */
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
 * Sends an event again under its id and with its body: to one endpoint, whatever types that wants, or to all that are
 * enabled and want it. Throws 404, and 409 where the endpoint is disabled.
 */
export const replayEvent = async (
  { webhooks, events, starter }: ReplayDeps,
  organizationId: string,
  { eventId, endpointId }: { readonly eventId: string; readonly endpointId: string | undefined },
  creation: Creation,
): Promise<Accepted> => {
  const event = await events.get(organizationId, eventId);
  if (event === null || (await events.body(organizationId, eventId)) === null) throw notFound('Event');
  const endpoints =
    endpointId === undefined
      ? (await webhooks.list(organizationId)).filter((endpoint) => wants(endpoint, event.type))
      : [await requireEnabled(webhooks, organizationId, endpointId)];
  const replay = { id: creation.id('dlv'), createdAt: creation.at };
  await starter.start(endpoints.map((endpoint) => deliveryOf(replay, event, endpoint)));
  return { events: endpoints.length === 0 ? 0 : 1, endpoints: endpoints.length };
};

const takingPart = async (
  webhooks: WebhookReader,
  { organizationId, endpointId }: Pick<Replay, 'organizationId' | 'endpointId'>,
): Promise<readonly WebhookEndpoint[]> =>
  (await webhooks.list(organizationId)).filter(
    ({ id, disabledReason }) => disabledReason === null && (endpointId === null || id === endpointId),
  );

/**
 * Accepts a replay of the events of a range of time: each endpoint gets those that it wants. The events are sent again
 * step by step, oldest first. Throws 404, 409 where the endpoint is disabled, and 422 for a range that holds more than
 * 10,000 events.
 */
export const replayRange = async (
  { webhooks, events, replays }: RangeDeps,
  organizationId: string,
  body: EventRangeReplay,
  creation: Creation,
): Promise<Accepted> => {
  const range = { from: new Date(body.from), to: new Date(body.to), types: body.event_types };
  if (body.endpoint_id !== undefined) await requireEnabled(webhooks, organizationId, body.endpoint_id);
  const replay: Replay = {
    id: creation.id('dlv'),
    organizationId,
    range,
    endpointId: body.endpoint_id ?? null,
    createdAt: creation.at,
    cursor: null,
  };
  const endpoints = await takingPart(webhooks, replay);
  let [held, wanted] = [0, 0];
  for await (const { type } of events.between(organizationId, range)) {
    held += 1;
    if (held > mostEvents) throw invalid(['body', 'from'], `the range must hold at most ${mostEvents} events`);
    if (endpoints.some((endpoint) => wants(endpoint, type))) wanted += 1;
  }
  if (wanted > 0) await replays.add(replay);
  return { events: wanted, endpoints: endpoints.length };
};

/** Takes a replay one step further; each step may be repeated, beside itself too. */
export const continueReplay = async (
  { webhooks, events, starter, replays }: StepDeps,
  ref: ReplayRef,
): Promise<void> => {
  const replay = await replays.get(ref);
  if (replay === null) return;
  const endpoints = await takingPart(webhooks, replay);
  const most = Math.max(1, Math.min(eventsPerStep, Math.floor(deliveriesPerStep / Math.max(1, endpoints.length))));
  const batch: { readonly id: string; readonly type: EventType }[] = [];
  for await (const event of events.between(replay.organizationId, replay.range, replay.cursor ?? undefined)) {
    batch.push(event);
    if (batch.length === most) break;
  }
  await starter.start(
    batch.flatMap((event) =>
      endpoints
        .filter((endpoint) => wants(endpoint, event.type))
        .map((endpoint) => deliveryOf(replay, event, endpoint)),
    ),
  );
  const last = batch.at(-1);
  if (last === undefined || batch.length < most) await replays.finish(replay);
  else await replays.advance(replay, last.id);
};

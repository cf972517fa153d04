import { type Clock, laterBy } from '../kernel/clock.ts';
import { dayMs, minuteMs } from '../kernel/durations.ts';
import type { EventBus } from '../platform/aws/event-bus.ts';
import type { DeliveryProvider, OutgoingEvent } from '../platform/delivery/port.ts';
import type { EventWriter } from './repository.ts';
import type { EventRef } from './schemas.ts';

interface RelayDeps {
  readonly events: Pick<EventWriter, 'get' | 'body' | 'settle'>;
  readonly provider: DeliveryProvider;
  readonly bus: EventBus;
}

/** Hands one event to the delivery provider; null where that was done before. */
const publish = async (
  { events, provider }: RelayDeps,
  { organization_id, event_id }: EventRef,
): Promise<OutgoingEvent | null> => {
  const event = await events.get(organization_id, event_id);
  if (event?.status !== 'recorded') return null;
  const body = await events.body(organization_id, event_id);
  if (body === null) throw new Error(`event ${event_id} has no body`);
  const outgoing = {
    organizationId: organization_id,
    id: event_id,
    type: event.type,
    createdAt: event.createdAt,
    body,
  };
  await provider.publish(outgoing);
  return outgoing;
};

/** Runs work for each side by side; what threw is kept in `failures` under its id, and the rest is given back. */
const gather = async <Input, Output>(
  inputs: readonly Input[],
  idOf: (input: Input) => string,
  work: (input: Input) => Promise<Output>,
  failures: Map<string, Error>,
): Promise<readonly Output[]> => {
  const results = await Promise.allSettled(inputs.map(work));
  return results.flatMap((result, at) => {
    if (result.status === 'fulfilled') return [result.value];
    const input = inputs[at];
    const reason: unknown = result.reason;
    if (input !== undefined) failures.set(idOf(input), reason instanceof Error ? reason : new Error(String(reason)));
    return [];
  });
};

/**
 * Hands recorded events to the delivery provider and to the event bus, and marks those `dispatched` that both have taken;
 * does nothing for those of which that was done before. Gives why by the ids of those that failed.
 */
export const relayEvents = async (deps: RelayDeps, refs: readonly EventRef[]): Promise<ReadonlyMap<string, Error>> => {
  const failures = new Map<string, Error>();
  const once = [...new Map(refs.map((ref) => [ref.event_id, ref])).values()];
  const published = await gather(
    once,
    ({ event_id }) => event_id,
    (ref) => publish(deps, ref),
    failures,
  );
  const taken = published.filter((event) => event !== null);
  if (taken.length === 0) return failures;
  const put = deps.bus.put(taken);
  const settle = async ({ organizationId, id }: OutgoingEvent): Promise<void> => {
    const refusal = (await put).get(id);
    if (refusal !== undefined) throw new Error(`the event bus did not take ${id}: ${refusal}`);
    await deps.events.settle(organizationId, id, 'dispatched');
  };
  await gather(taken, ({ id }) => id, settle, failures);
  return failures;
};

const patienceMs = dayMs;
const pauseMs = 15 * minuteMs;

/**
 * What becomes of an event that could not be handed over for minutes on end: for a day it is tried again every quarter of
 * an hour, so that no outage of a provider or a bus loses it; then it is `failed`.
 */
export const putOffEvent = async (
  events: Pick<EventWriter, 'get' | 'settle' | 'putOff'>,
  { organization_id, event_id }: EventRef,
  clock: Clock,
): Promise<void> => {
  const event = await events.get(organization_id, event_id);
  if (event === null) return;
  const now = clock.now();
  if (now < laterBy(event.createdAt, patienceMs)) {
    await events.putOff(organization_id, event_id, laterBy(now, pauseMs));
  } else {
    await events.settle(organization_id, event_id, 'failed');
  }
};

import { type Clock, laterBy } from '../kernel/clock.ts';
import { dayMs, minuteMs } from '../kernel/durations.ts';
import type { EventBus } from '../platform/aws/event-bus.ts';
import type { DeliveryProvider, OutgoingEvent } from '../platform/delivery/port.ts';
import type { EventWriter } from './repository.ts';
import type { EventRef } from './schemas.ts';

interface RelayDeps {
  readonly events: Pick<EventWriter, 'get' | 'body' | 'finish'>;
  readonly provider: DeliveryProvider;
  readonly bus: EventBus;
}

/** Publishes one event to the delivery provider. Null: it was published before. */
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

/** Runs work for all inputs concurrently. Stores errors in `failures` by the id of the input, and returns the results. */
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
 * Publishes recorded events to the delivery provider and to the event bus, and then marks them `dispatched`. Skips events
 * that are dispatched already. Returns the errors of failed events by their ids.
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
  const accepted = published.filter((event) => event !== null);
  if (accepted.length === 0) return failures;
  const put = deps.bus.put(accepted);
  const finish = async ({ organizationId, id }: OutgoingEvent): Promise<void> => {
    const refusal = (await put).get(id);
    if (refusal !== undefined) throw new Error(`the event bus refused ${id}: ${refusal}`);
    await deps.events.finish(organizationId, id, 'dispatched');
  };
  await gather(accepted, ({ id }) => id, finish, failures);
  return failures;
};

const maxRetryMs = dayMs;
const pauseMs = 15 * minuteMs;

/**
 * Postpones an event after the retries of its message are exhausted. For a day it is retried every 15 minutes, so an outage
 * of the provider or the bus does not lose it. Then it is `failed`.
 */
export const deferEvent = async (
  events: Pick<EventWriter, 'get' | 'finish' | 'defer'>,
  { organization_id, event_id }: EventRef,
  clock: Clock,
): Promise<void> => {
  const event = await events.get(organization_id, event_id);
  if (event === null) return;
  const now = clock.now();
  if (now < laterBy(event.createdAt, maxRetryMs)) {
    await events.defer(organization_id, event_id, laterBy(now, pauseMs));
  } else {
    await events.finish(organization_id, event_id, 'failed');
  }
};

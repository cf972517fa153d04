import type { DeliveryProvider } from '../platform/delivery/port.ts';
import type { EventWriter } from './repository.ts';
import type { EventRef } from './schemas.ts';

interface RelayDeps {
  readonly events: Pick<EventWriter, 'get' | 'body' | 'settle'>;
  readonly provider: DeliveryProvider;
}

/** Hands a recorded event to the delivery provider and marks it `dispatched`; does nothing where that was done before. */
export const relayEvent = async (
  { events, provider }: RelayDeps,
  { organization_id, event_id }: EventRef,
): Promise<void> => {
  const event = await events.get(organization_id, event_id);
  if (event?.status !== 'recorded') return;
  const body = await events.body(organization_id, event_id);
  if (body === null) throw new Error(`event ${event_id} has no body`);
  await provider.publish({
    organizationId: organization_id,
    id: event_id,
    type: event.type,
    createdAt: event.createdAt,
    body,
  });
  await events.settle(organization_id, event_id, 'dispatched');
};

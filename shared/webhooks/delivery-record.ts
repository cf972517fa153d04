import * as z from 'zod';
import { dueBy, dueTimeOf, epochSeconds } from '../db/due.ts';
import { numberOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';
import { daySeconds } from '../kernel/durations.ts';
import { AttemptRecord, type DeliveredType, type DeliveryStatus, type DeliveryTrigger } from './delivery-schemas.ts';
import type { DeliveryRef } from './schemas.ts';

/** What makes a delivery. */
export interface NewDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly endpointId: string;
  /** What receivers see as `hook-id`. */
  readonly eventId: string;
  readonly eventType: DeliveredType;
  readonly trigger: DeliveryTrigger;
  /** The envelope as JSON where no event of the history holds it. */
  readonly body: string | null;
  /** RFC 3339 UTC. */
  readonly createdAt: string;
}

/** One event on its way to one endpoint. */
export interface Delivery extends NewDelivery {
  readonly status: DeliveryStatus;
  /** Attempts begun so far. */
  readonly attempt: number;
  /** When the next attempt may begin; during one, when it counts as dead. */
  readonly dueAt: string | null;
  readonly attempts: readonly AttemptRecord[];
}

interface StoredDelivery extends Delivery {
  /** How often the next attempt has been put off since it came due. */
  readonly putOffs: number;
}

/** A delivery whose next attempt is being made. */
export interface BegunDelivery extends StoredDelivery {
  /** `attempt` as it is stored: one less where the attempt was not claimed. */
  readonly storedAttempt: number;
}

/** Longer than the schedule takes; what is older is gone from the log. */
const keptDays = 30;

/** Where the deliveries to an endpoint lie. */
export const partition = (organizationId: string, endpointId: string): string =>
  `ORG#${organizationId}#ENDPOINT#${endpointId}`;

/** Address of a delivery as messages carry it. */
export const refOf = ({ organizationId, endpointId, id }: NewDelivery): DeliveryRef => ({
  organization_id: organizationId,
  endpoint_id: endpointId,
  delivery_id: id,
});

/** The delivery at a key. */
export const refAt = ({ pk, sk }: { readonly pk: string; readonly sk: string }): DeliveryRef => {
  const [, organization_id = '', , endpoint_id = ''] = pk.split('#');
  return { organization_id, endpoint_id, delivery_id: sk };
};

/** A delivery as it is stored; the casts hold because only this entity writes such items. */
export const toDelivery = (item: Item): StoredDelivery => {
  const { organization_id, endpoint_id, delivery_id } = refAt(item);
  return {
    id: delivery_id,
    organizationId: organization_id,
    endpointId: endpoint_id,
    eventId: item['event_id'] as string,
    eventType: item['event_type'] as DeliveredType,
    trigger: item['trigger'] as DeliveryTrigger,
    body: textOf(item, 'body'),
    createdAt: item['created_at'] as string,
    status: item['status'] as DeliveryStatus,
    attempt: item['attempt'] as number,
    dueAt: dueTimeOf(item),
    putOffs: numberOf(item, 'put_offs'),
    attempts: z.array(AttemptRecord).parse(item['attempts']),
  };
};

/** A delivery that is due at once, as it is stored. */
export const toItem = (delivery: NewDelivery, now: Date): Item => ({
  pk: partition(delivery.organizationId, delivery.endpointId),
  sk: delivery.id,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  trigger: delivery.trigger,
  ...(delivery.body === null ? {} : { body: delivery.body }),
  status: 'pending',
  attempt: 0,
  attempts: [],
  created_at: delivery.createdAt,
  ...dueBy('deliver', delivery.organizationId, now),
  expires_at_epoch: epochSeconds(now) + keptDays * daySeconds,
});

/** Address of a delivery in its table. */
export const keyOf = ({ organization_id, endpoint_id, delivery_id }: DeliveryRef) => ({
  pk: partition(organization_id, endpoint_id),
  sk: delivery_id,
});

import * as z from 'zod';
import { dueBy, dueTimeOf, epochSeconds } from '../db/due.ts';
import { numberOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';
import { daySeconds } from '../kernel/durations.ts';
import { AttemptRecord, type DeliveredType, type DeliveryStatus, type DeliveryTrigger } from './delivery-schemas.ts';
import type { DeliveryRef } from './schemas.ts';

/** Delivery to create. */
export interface NewDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly endpointId: string;
  /** Value of the header `hook-id`. */
  readonly eventId: string;
  readonly eventType: DeliveredType;
  readonly trigger: DeliveryTrigger;
  /** Envelope as JSON; null if it is that of an event in the history. */
  readonly body: string | null;
  /** RFC 3339 UTC. */
  readonly createdAt: string;
}

/** Delivery of one event to one endpoint. */
export interface Delivery extends NewDelivery {
  readonly status: DeliveryStatus;
  /** Number of attempts that have started. */
  readonly attempt: number;
  /** When the next attempt may start; during an attempt, when its lease ends. */
  readonly dueAt: string | null;
  readonly attempts: readonly AttemptRecord[];
}

interface StoredDelivery extends Delivery {
  /** How often the next attempt was deferred since it became due. Stored as `put_offs`. */
  readonly deferrals: number;
}

/** Delivery whose next attempt has started. */
export interface StartedDelivery extends StoredDelivery {
  /** Stored value of `attempt`: one less if the attempt was not claimed. */
  readonly storedAttempt: number;
}

/** Retention of the delivery log. It exceeds the duration of the retry schedule. */
const retentionDays = 30;

/** Returns the partition key of the deliveries to an endpoint. */
export const partition = (organizationId: string, endpointId: string): string =>
  `ORG#${organizationId}#ENDPOINT#${endpointId}`;

/** Returns the reference to a delivery in queue messages. */
export const refOf = ({ organizationId, endpointId, id }: NewDelivery): DeliveryRef => ({
  organization_id: organizationId,
  endpoint_id: endpointId,
  delivery_id: id,
});

/** Returns the reference to the delivery with a table key. */
export const refOfKey = ({ pk, sk }: { readonly pk: string; readonly sk: string }): DeliveryRef => {
  const [, organization_id = '', , endpoint_id = ''] = pk.split('#');
  return { organization_id, endpoint_id, delivery_id: sk };
};

/** Reads a stored delivery. The casts are safe because only this module writes such items. */
export const toDelivery = (item: Item): StoredDelivery => {
  const { organization_id, endpoint_id, delivery_id } = refOfKey(item);
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
    deferrals: numberOf(item, 'put_offs'),
    attempts: z.array(AttemptRecord).parse(item['attempts']),
  };
};

/** Returns the item of a delivery that is due at once. */
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
  expires_at_epoch: epochSeconds(now) + retentionDays * daySeconds,
});

/** Returns the table key of a delivery. */
export const keyOf = ({ organization_id, endpoint_id, delivery_id }: DeliveryRef) => ({
  pk: partition(organization_id, endpoint_id),
  sk: delivery_id,
});

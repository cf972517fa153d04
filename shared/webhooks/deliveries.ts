import { absent } from '../db/condition.ts';
import * as z from 'zod';
import { type Item, openTable } from '../db/table.ts';
import type { Runtime } from '../kernel/capability.ts';
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

/** A delivery whose next attempt is being made. */
export interface BegunDelivery extends Delivery {
  /** `attempt` as it is stored: one less where the attempt was not claimed. */
  readonly storedAttempt: number;
}

export interface DeliveryReader {
  /** One page of the deliveries to an endpoint, newest first. */
  page(
    endpoint: { readonly organizationId: string; readonly id: string },
    window: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly deliveries: readonly Delivery[]; readonly next: string | null }>;
  /** Deliveries whose time has come, longest waiting first. */
  overdue(until: Date, limit: number): Promise<readonly DeliveryRef[]>;
}

export interface Deliveries extends DeliveryReader {
  /** Keeps a delivery that is due at once, one however often it is called. */
  add(delivery: NewDelivery): Promise<void>;
  /** Begins the next attempt, alone until `until`; null where it is not due at `now`, in other hands, or over. */
  claim(ref: DeliveryRef, now: Date, until: Date): Promise<BegunDelivery | null>;
  /** The next attempt without a claim, for one that takes no time; null where it is not due at `now` or over. */
  peek(ref: DeliveryRef, now: Date): Promise<BegunDelivery | null>;
  /** Ends a delivery that is due, because its endpoint receives nothing more. */
  drop(ref: DeliveryRef, now: Date): Promise<void>;
  /** Ends a delivery after an attempt, unless another has begun since it was claimed or looked at. */
  finish(delivery: BegunDelivery, status: Exclude<DeliveryStatus, 'pending'>, record?: AttemptRecord): Promise<void>;
  /** Sets the attempt after this one; false where another has begun or it has ended meanwhile. */
  postpone(delivery: BegunDelivery, until: Date, record: AttemptRecord): Promise<boolean>;
  /** Gives a claim back: the attempt was not made. False as with `postpone`. */
  defer(delivery: BegunDelivery, until: Date): Promise<boolean>;
}

/** Longer than the schedule takes; what is older is gone from the log. */
const keptDays = 30;

const partition = (organizationId: string, endpointId: string): string =>
  `ORG#${organizationId}#ENDPOINT#${endpointId}`;

/** Address of a delivery as messages carry it. */
export const refOf = ({ organizationId, endpointId, id }: NewDelivery): DeliveryRef => ({
  organization_id: organizationId,
  endpoint_id: endpointId,
  delivery_id: id,
});

const refAt = ({ pk, sk }: { readonly pk: string; readonly sk: string }): DeliveryRef => {
  const [, organization_id = '', , endpoint_id = ''] = pk.split('#');
  return { organization_id, endpoint_id, delivery_id: sk };
};

const toDelivery = (item: Item): Delivery => {
  const { organization_id, endpoint_id, delivery_id } = refAt(item);
  return {
    id: delivery_id,
    organizationId: organization_id,
    endpointId: endpoint_id,
    eventId: item['event_id'] as string,
    eventType: item['event_type'] as DeliveredType,
    trigger: item['trigger'] as DeliveryTrigger,
    body: (item['body'] as string | undefined) ?? null,
    createdAt: item['created_at'] as string,
    status: item['status'] as DeliveryStatus,
    attempt: item['attempt'] as number,
    dueAt: (item['due_at'] as string | undefined) ?? null,
    attempts: z.array(AttemptRecord).parse(item['attempts']),
  };
};

const toItem = (delivery: NewDelivery, now: Date): Item => ({
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
  due_pk: 'deliver',
  due_at: now.toISOString(),
  expires_at_epoch: Math.floor(now.getTime() / 1000) + keptDays * 86_400,
});

const keyOf = ({ organization_id, endpoint_id, delivery_id }: DeliveryRef) => ({
  pk: partition(organization_id, endpoint_id),
  sk: delivery_id,
});

/** Holds as long as nobody else has touched the delivery since it was claimed or looked at. */
const untouched = ({ storedAttempt }: BegunDelivery) =>
  ({ status: { eq: 'pending' }, attempt: { eq: storedAttempt } }) as const;

const due = (now: Date) => ({ status: { eq: 'pending' }, due_at: { lte: now.toISOString() } }) as const;

const isDue = ({ status, dueAt }: Delivery, now: Date): boolean =>
  status === 'pending' && dueAt !== null && dueAt <= now.toISOString();

const logged = (delivery: Delivery, record: AttemptRecord | undefined): AttemptRecord[] =>
  record === undefined ? [...delivery.attempts] : [...delivery.attempts, record];

export const openDeliveryReader = (runtime: Runtime): DeliveryReader => {
  const table = openTable(runtime, 'webhooks');
  return {
    page: async ({ organizationId, id }, { limit, after }) => {
      const page = await table.query(partition(organizationId, id), {
        newestFirst: true,
        limit,
        ...(after === null ? {} : { after }),
      });
      return { deliveries: page.items.map(toDelivery), next: page.next };
    },
    overdue: async (until, limit) => (await table.due('deliver', until.toISOString(), limit)).map(refAt),
  };
};

export const openDeliveries = (runtime: Runtime): Deliveries => {
  const table = openTable(runtime, 'webhooks');
  const change = async (delivery: BegunDelivery, set: Readonly<Record<string, string | number | AttemptRecord[]>>) =>
    (await table.update(keyOf(refOf(delivery)), { set, condition: untouched(delivery) })) !== null;
  return {
    ...openDeliveryReader(runtime),
    add: async (delivery) => {
      await table.put(toItem(delivery, runtime.clock.now()), absent);
    },
    claim: async (ref, now, until) => {
      const item = await table.update(keyOf(ref), {
        set: { due_at: until.toISOString() },
        add: { attempt: 1 },
        condition: due(now),
      });
      if (item === null) return null;
      const delivery = toDelivery(item);
      return { ...delivery, storedAttempt: delivery.attempt };
    },
    peek: async (ref, now) => {
      const item = await table.get(keyOf(ref));
      const delivery = item === null ? null : toDelivery(item);
      if (delivery === null || !isDue(delivery, now)) return null;
      return { ...delivery, attempt: delivery.attempt + 1, storedAttempt: delivery.attempt };
    },
    drop: async (ref, now) => {
      await table.update(keyOf(ref), {
        set: { status: 'dropped' },
        remove: ['due_pk', 'due_at'],
        condition: due(now),
      });
    },
    finish: async (delivery, status, record) => {
      await table.update(keyOf(refOf(delivery)), {
        set: { status, attempt: delivery.attempt, attempts: logged(delivery, record) },
        remove: ['due_pk', 'due_at'],
        condition: untouched(delivery),
      });
    },
    postpone: (delivery, until, record) =>
      change(delivery, {
        attempt: delivery.attempt,
        attempts: logged(delivery, record),
        due_at: until.toISOString(),
      }),
    defer: (delivery, until) => change(delivery, { attempt: delivery.attempt - 1, due_at: until.toISOString() }),
  };
};

import { absent } from '../db/condition.ts';
import { dueAttributes, dueBy, whereDueAt, whereDueBy } from '../db/due.ts';
import type { Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { requireCursorOf } from '../http/pagination.ts';
import type { Runtime } from '../kernel/capability.ts';
import {
  type StartedDelivery,
  type Delivery,
  keyOf,
  type NewDelivery,
  partition,
  refOfKey,
  refOf,
  toDelivery,
  toItem,
} from './delivery-record.ts';
import type { AttemptRecord, DeliveryStatus } from './delivery-schemas.ts';
import type { DeliveryRef } from './schemas.ts';

export interface DeliveryReader {
  /** Returns one page of the deliveries to an endpoint, newest first. */
  page(
    endpoint: { readonly organizationId: string; readonly id: string },
    window: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly deliveries: readonly Delivery[]; readonly next: string | null }>;
  /** Returns deliveries that are due, fairly among organizations. */
  overdue(until: Date, limit: number): Promise<readonly DeliveryRef[]>;
}

export interface Deliveries extends DeliveryReader {
  /** Stores a delivery that is due at once. Idempotent. */
  add(delivery: NewDelivery): Promise<void>;
  /** Starts the next attempt with a lease until `until`. Null: the delivery is not due, claimed or done. */
  claim(ref: DeliveryRef, now: Date, until: Date): Promise<StartedDelivery | null>;
  /** Returns the next attempt without a claim, for an attempt that is not made. Null: the delivery is not due or done. */
  peek(ref: DeliveryRef, now: Date): Promise<StartedDelivery | null>;
  /** Ends a delivery that is due, because its endpoint is disabled or deleted. */
  drop(ref: DeliveryRef, now: Date): Promise<void>;
  /** Ends a delivery after an attempt, unless another attempt has started since. */
  finish(delivery: StartedDelivery, status: Exclude<DeliveryStatus, 'pending'>, record?: AttemptRecord): Promise<void>;
  /** Schedules the next attempt. False: another attempt has started, or the delivery was finished or deferred since. */
  postpone(delivery: StartedDelivery, until: Date, record: AttemptRecord): Promise<boolean>;
  /** Postpones the attempt without counting it. False: see `postpone`. */
  defer(delivery: StartedDelivery, until: Date): Promise<boolean>;
}

/** Condition that no other attempt has started since. */
const sameAttempt = ({ storedAttempt }: StartedDelivery) =>
  ({ status: { eq: 'pending' }, attempt: { eq: storedAttempt } }) as const;

/** Condition that no other attempt has started and the delivery was not deferred since. */
const sameDueTime = (delivery: StartedDelivery) =>
  ({
    ...sameAttempt(delivery),
    ...(delivery.dueAt === null ? {} : whereDueAt(delivery.organizationId, delivery.dueAt)),
  }) as const;

const due = ({ organization_id }: DeliveryRef, now: Date) =>
  ({ status: { eq: 'pending' }, ...whereDueBy(organization_id, now) }) as const;

const isDue = ({ status, dueAt }: Delivery, now: Date): boolean =>
  status === 'pending' && dueAt !== null && dueAt <= now.toISOString();

const logged = (delivery: Delivery, record: AttemptRecord | undefined): AttemptRecord[] =>
  record === undefined ? [...delivery.attempts] : [...delivery.attempts, record];

export const openDeliveryReader = (runtime: Runtime): DeliveryReader => {
  const table = openTable(runtime, 'webhooks');
  return {
    page: async ({ organizationId, id }, { limit, after }) => {
      // A cursor of Svix is refused, which may have stored the log before.
      requireCursorOf('dlv', after);
      const page = await table.query(partition(organizationId, id), { newestFirst: true, limit, after });
      return { deliveries: page.items.map(toDelivery), next: page.next };
    },
    overdue: async (until, limit) => (await table.due('deliver', until.toISOString(), limit)).map(refOfKey),
  };
};

/** Transitions of a delivery whose attempt was claimed or read. */
const transitionsOf = (table: Table): Pick<Deliveries, 'finish' | 'postpone' | 'defer'> => {
  const change = async (delivery: StartedDelivery, set: Readonly<Record<string, string | number | AttemptRecord[]>>) =>
    (await table.update(keyOf(refOf(delivery)), { set, condition: sameDueTime(delivery) })) !== null;
  return {
    finish: async (delivery, status, record) => {
      await table.update(keyOf(refOf(delivery)), {
        set: { status, attempt: delivery.attempt, attempts: logged(delivery, record) },
        remove: dueAttributes,
        condition: sameAttempt(delivery),
      });
    },
    postpone: (delivery, until, record) =>
      change(delivery, {
        attempt: delivery.attempt,
        attempts: logged(delivery, record),
        ...dueBy('deliver', delivery.organizationId, until),
        put_offs: 0,
      }),
    defer: (delivery, until) =>
      change(delivery, {
        attempt: delivery.attempt - 1,
        ...dueBy('deliver', delivery.organizationId, until),
        put_offs: delivery.deferrals + 1,
      }),
  };
};

export const openDeliveries = (runtime: Runtime): Deliveries => {
  const table = openTable(runtime, 'webhooks');
  return {
    ...openDeliveryReader(runtime),
    add: async (delivery) => {
      await table.put(toItem(delivery, runtime.clock.now()), absent);
    },
    claim: async (ref, now, until) => {
      const item = await table.update(keyOf(ref), {
        set: dueBy('deliver', ref.organization_id, until),
        add: { attempt: 1 },
        condition: due(ref, now),
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
        remove: dueAttributes,
        condition: due(ref, now),
      });
    },
    ...transitionsOf(table),
  };
};

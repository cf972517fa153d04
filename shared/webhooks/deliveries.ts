import { absent } from '../db/condition.ts';
import { dueAttributes, dueBy, isDueAtTime, isDueBy } from '../db/due.ts';
import type { Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { requirePageEnd } from '../http/page.ts';
import type { Runtime } from '../kernel/capability.ts';
import {
  type BegunDelivery,
  type Delivery,
  keyOf,
  type NewDelivery,
  partition,
  refAt,
  refOf,
  toDelivery,
  toItem,
} from './delivery-record.ts';
import type { AttemptRecord, DeliveryStatus } from './delivery-schemas.ts';
import type { DeliveryRef } from './schemas.ts';

export interface DeliveryReader {
  /** One page of the deliveries to an endpoint, newest first. */
  page(
    endpoint: { readonly organizationId: string; readonly id: string },
    window: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly deliveries: readonly Delivery[]; readonly next: string | null }>;
  /** Deliveries whose time has come, of every organization in turn. */
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
  /** Sets the attempt after this one; false where another has begun, or it has ended or been put off meanwhile. */
  postpone(delivery: BegunDelivery, until: Date, record: AttemptRecord): Promise<boolean>;
  /** Leaves the attempt for later, as one that was not made. False as with `postpone`. */
  defer(delivery: BegunDelivery, until: Date): Promise<boolean>;
}

/** Holds as long as nobody else has touched the delivery since it was claimed or looked at. */
const untouched = ({ storedAttempt }: BegunDelivery) =>
  ({ status: { eq: 'pending' }, attempt: { eq: storedAttempt } }) as const;

/** As `untouched`, and nobody has put it off either. */
const unmoved = (delivery: BegunDelivery) =>
  ({
    ...untouched(delivery),
    ...(delivery.dueAt === null ? {} : isDueAtTime(delivery.organizationId, delivery.dueAt)),
  }) as const;

const due = ({ organization_id }: DeliveryRef, now: Date) =>
  ({ status: { eq: 'pending' }, ...isDueBy(organization_id, now) }) as const;

const isDue = ({ status, dueAt }: Delivery, now: Date): boolean =>
  status === 'pending' && dueAt !== null && dueAt <= now.toISOString();

const logged = (delivery: Delivery, record: AttemptRecord | undefined): AttemptRecord[] =>
  record === undefined ? [...delivery.attempts] : [...delivery.attempts, record];

export const openDeliveryReader = (runtime: Runtime): DeliveryReader => {
  const table = openTable(runtime, 'webhooks');
  return {
    page: async ({ organizationId, id }, { limit, after }) => {
      // Svix, which may keep the log in place of this table, has cursors of its own.
      requirePageEnd('dlv', after);
      const page = await table.query(partition(organizationId, id), { newestFirst: true, limit, after });
      return { deliveries: page.items.map(toDelivery), next: page.next };
    },
    overdue: async (until, limit) => (await table.due('deliver', until.toISOString(), limit)).map(refAt),
  };
};

/** What can become of a delivery whose attempt is being made or was looked at. */
const endsOf = (table: Table): Pick<Deliveries, 'finish' | 'postpone' | 'defer'> => {
  const change = async (delivery: BegunDelivery, set: Readonly<Record<string, string | number | AttemptRecord[]>>) =>
    (await table.update(keyOf(refOf(delivery)), { set, condition: unmoved(delivery) })) !== null;
  return {
    finish: async (delivery, status, record) => {
      await table.update(keyOf(refOf(delivery)), {
        set: { status, attempt: delivery.attempt, attempts: logged(delivery, record) },
        remove: dueAttributes,
        condition: untouched(delivery),
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
        put_offs: delivery.putOffs + 1,
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
    ...endsOf(table),
  };
};

import * as z from 'zod';
import { type Item, openTable } from '../db/table.ts';
import type { Runtime } from '../kernel/capability.ts';
import type { DeliveryRef } from './schemas.ts';

/** `pending` until one attempt succeeds, the last one fails, or the endpoint stops receiving. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'dropped';

/** How one attempt went: the receiver's status, or why there was no whole answer. */
const AttemptRecord = z.object({
  attempt: z.int(),
  /** RFC 3339 UTC. */
  at: z.string(),
  status_code: z.int().nullable(),
  error: z.enum(['timeout', 'address_not_allowed', 'connection_failed', 'interrupted']).nullable(),
});
export type AttemptRecord = z.infer<typeof AttemptRecord>;

/** One event on its way to one endpoint. */
export interface Delivery {
  readonly id: string;
  readonly organizationId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly status: DeliveryStatus;
  /** Attempts begun so far. */
  readonly attempt: number;
  /** When the next attempt may begin; during one, when it counts as dead. */
  readonly dueAt: string | null;
  readonly attempts: readonly AttemptRecord[];
}

interface NewDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly endpointId: string;
  readonly eventId: string;
}

export interface Deliveries {
  /** Keeps a delivery that is due at once, one however often it is called. */
  add(delivery: NewDelivery): Promise<void>;
  get(ref: DeliveryRef): Promise<Delivery | null>;
  /** Begins the next attempt, alone until `until`; null where another did, or where it has ended. */
  claim(delivery: Delivery, until: Date): Promise<Delivery | null>;
  /** Ends a delivery, unless another attempt has begun meanwhile. */
  finish(delivery: Delivery, status: Exclude<DeliveryStatus, 'pending'>, record?: AttemptRecord): Promise<void>;
  /** Sets the next attempt; false where another has begun or it has ended meanwhile. */
  postpone(delivery: Delivery, until: Date, record: AttemptRecord): Promise<boolean>;
  /** Deliveries whose time has come, longest waiting first. */
  overdue(until: Date, limit: number): Promise<readonly DeliveryRef[]>;
}

/** Longer than the schedule takes; what is older is gone from the log. */
const keptDays = 30;

const partition = (organizationId: string, endpointId: string): string =>
  `ORG#${organizationId}#ENDPOINT#${endpointId}`;

const refOf = ({ pk, sk }: { readonly pk: string; readonly sk: string }): DeliveryRef => {
  const [, organization_id = '', , endpoint_id = ''] = pk.split('#');
  return { organization_id, endpoint_id, delivery_id: sk };
};

const toDelivery = (item: Item): Delivery => {
  const { organization_id, endpoint_id, delivery_id } = refOf(item);
  return {
    id: delivery_id,
    organizationId: organization_id,
    endpointId: endpoint_id,
    eventId: item['event_id'] as string,
    status: item['status'] as DeliveryStatus,
    attempt: item['attempt'] as number,
    dueAt: (item['due_at'] as string | undefined) ?? null,
    attempts: z.array(AttemptRecord).parse(item['attempts']),
  };
};

const keyOf = ({ organizationId, endpointId, id }: NewDelivery) => ({
  pk: partition(organizationId, endpointId),
  sk: id,
});

/** Holds as long as nobody else has touched the delivery since it was read. */
const untouched = ({ attempt }: Delivery) => ({ status: { eq: 'pending' }, attempt: { eq: attempt } }) as const;

const logged = (delivery: Delivery, record: AttemptRecord | undefined): AttemptRecord[] =>
  record === undefined ? [...delivery.attempts] : [...delivery.attempts, record];

export const openDeliveries = (runtime: Runtime): Deliveries => {
  const table = openTable(runtime, 'webhooks');
  return {
    add: async (delivery) => {
      const now = runtime.clock.now();
      const item = {
        ...keyOf(delivery),
        event_id: delivery.eventId,
        status: 'pending',
        attempt: 0,
        attempts: [],
        created_at: now.toISOString(),
        due_pk: 'deliver',
        due_at: now.toISOString(),
        expires_at_epoch: Math.floor(now.getTime() / 1000) + keptDays * 86_400,
      };
      await table.put(item, { pk: { exists: false } });
    },
    get: async ({ organization_id, endpoint_id, delivery_id }) => {
      const item = await table.get({ pk: partition(organization_id, endpoint_id), sk: delivery_id });
      return item === null ? null : toDelivery(item);
    },
    claim: async (delivery, until) => {
      const item = await table.update(keyOf(delivery), {
        set: { attempt: delivery.attempt + 1, due_at: until.toISOString() },
        condition: untouched(delivery),
      });
      return item === null ? null : toDelivery(item);
    },
    finish: async (delivery, status, record) => {
      await table.update(keyOf(delivery), {
        set: { status, attempts: logged(delivery, record) },
        remove: ['due_pk', 'due_at'],
        condition: untouched(delivery),
      });
    },
    postpone: async (delivery, until, record) => {
      const attempts = logged(delivery, record);
      const change = { set: { attempts, due_at: until.toISOString() }, condition: untouched(delivery) };
      return (await table.update(keyOf(delivery), change)) !== null;
    },
    overdue: async (until, limit) => (await table.due('deliver', until.toISOString(), limit)).map(refOf),
  };
};

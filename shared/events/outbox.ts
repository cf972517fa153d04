import { dueAttributes, whereDueIn, organizationOf } from '../db/due.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { type Capability, type CapabilityId, capability, type Runtime } from '../kernel/capability.ts';
import type { Logger } from '../kernel/log.ts';
import { plans } from '../kernel/plans.ts';
import { openOrganizations, planOf } from '../organizations/index.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { NewEvent } from './build.ts';
import { type EventWriter, openEventWriter } from './repository.ts';
import { clearSlot, filledSlots, noPendingEvent } from './outbox-slots.ts';

/** Tables whose items have outbox slots (transactional outbox pattern). */
export type OutboxTable = 'indexes' | 'files' | 'exports' | 'webhooks';

interface Outbox {
  readonly table: Table;
  readonly events: Pick<EventWriter, 'record' | 'forgetText'>;
  readonly enqueueRelay: (event: NewEvent) => Promise<void>;
  /** Returns the retention of events by the plan of an organization, in days. */
  readonly retentionDays: (organizationId: string) => Promise<number>;
  readonly log: Logger;
}

const openOutbox = (runtime: Runtime, table: OutboxTable): Outbox => ({
  table: openTable(runtime, table),
  events: openEventWriter(runtime),
  enqueueRelay: ({ organizationId, id }) => {
    const ref = { organization_id: organizationId, event_id: id };
    return sendMessage(runtime, 'relay', runtime.config.homeRegion, ref);
  },
  retentionDays: async (organizationId) => {
    const plan = await planOf(openOrganizations(runtime), organizationId);
    return plans[plan].limits.event_retention_days;
  },
  log: runtime.log,
});

/** Records and relays the events in an item. Each step is idempotent and the slot is freed last, so a retry completes it. */
const flush = async (
  { table, events, enqueueRelay, retentionDays, log }: Outbox,
  organizationId: string,
  item: Item,
): Promise<boolean> => {
  try {
    for (const filled of filledSlots(item, organizationId)) {
      await events.record(filled.event, await retentionDays(organizationId));
      await enqueueRelay(filled.event);
      await clearSlot(table, item, filled);
    }
    return true;
  } catch (error) {
    log.warn('outbox.flush.failed', { item: item.sk, error });
    return false;
  }
};

export interface EventRecorder {
  /**
   * Moves the events from the slots of an item (as the change returned it) to the history and enqueues their relay. Never
   * throws, because a change that is stored must not be reported as failed. False: the sweep will repeat it.
   */
  flush(organizationId: string, item: Item): Promise<boolean>;
  /** Removes the text of a file from a recorded event, unless the event has expired. Idempotent. */
  forgetText(organizationId: string, eventId: string): Promise<void>;
}

export interface OutboxSweeper {
  /** Flushes items with overdue events, fairly among organizations. Returns the number of items. */
  sweep(until: Date, limit: number): Promise<number>;
}

const recorderNeeds = (table: OutboxTable): CapabilityId[] => [
  `${table}.write`,
  'events.write',
  'relay.send',
  'organizations.read',
];

/** Capability to record events that changes of one table have stored in its items. */
export const recordEvents = (table: OutboxTable): Capability<EventRecorder> =>
  capability(recorderNeeds(table), (runtime) => {
    const outbox = openOutbox(runtime, table);
    return {
      flush: (organizationId, item) => flush(outbox, organizationId, item),
      forgetText: async (organizationId, eventId) => {
        await outbox.events.forgetText(organizationId, eventId);
      },
    };
  });

const maxConcurrency = 20;

/** Removes an item without events from the due index. After two concurrent flushes it may still be there. */
const clearDue = async (table: Table, { pk, sk }: Item): Promise<void> => {
  await table.update(
    { pk, sk },
    { remove: dueAttributes, condition: { ...noPendingEvent, ...whereDueIn('outbox', organizationOf({ pk, sk })) } },
  );
};

/** Capability to find and flush items whose events were not flushed after the change. */
export const sweepOutbox = (table: OutboxTable): Capability<OutboxSweeper> =>
  capability([`${table}.read`, ...recorderNeeds(table)], (runtime) => {
    const outbox = openOutbox(runtime, table);
    const flushAt = async (key: { readonly pk: string; readonly sk: string }): Promise<void> => {
      const item = await outbox.table.get(key);
      if (item === null) return;
      const [filled] = filledSlots(item);
      if (filled === undefined) await clearDue(outbox.table, item);
      else await flush(outbox, filled.event.organizationId, item);
    };
    return {
      sweep: async (until, limit) => {
        const keys = await outbox.table.due('outbox', until.toISOString(), limit);
        for (let from = 0; from < keys.length; from += maxConcurrency) {
          await Promise.all(keys.slice(from, from + maxConcurrency).map(flushAt));
        }
        return keys.length;
      },
    };
  });

import { dueAttributes, dueIn, organizationOf } from '../db/due.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { type Capability, type CapabilityId, capability, type Runtime } from '../kernel/capability.ts';
import type { Logger } from '../kernel/log.ts';
import { plans } from '../kernel/plans.ts';
import { openOrganizations, planOf } from '../organizations/index.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { NewEvent } from './build.ts';
import { type EventWriter, openEventWriter } from './repository.ts';
import { clearSlot, filledSlots, noEventWaits } from './slots.ts';

/** Tables whose items can carry events. */
export type OutboxTable = 'indexes' | 'files' | 'webhooks';

interface Outbox {
  readonly table: Table;
  readonly events: Pick<EventWriter, 'record' | 'forgetText'>;
  readonly hint: (event: NewEvent) => Promise<void>;
  /** How long the plan of an organization keeps its events. */
  readonly retentionDays: (organizationId: string) => Promise<number>;
  readonly log: Logger;
}

const openOutbox = (runtime: Runtime, table: OutboxTable): Outbox => ({
  table: openTable(runtime, table),
  events: openEventWriter(runtime),
  hint: ({ organizationId, id }) => {
    const ref = { organization_id: organizationId, event_id: id };
    return sendMessage(runtime, 'relay', runtime.config.homeRegion, ref);
  },
  retentionDays: async (organizationId) => {
    const plan = await planOf(openOrganizations(runtime), organizationId);
    return plans[plan].limits.event_retention_days;
  },
  log: runtime.log,
});

/** Each step may be repeated, and the slot is freed last: whatever dies on the way, the next call ends it. */
const flush = async (
  { table, events, hint, retentionDays, log }: Outbox,
  organizationId: string,
  item: Item,
): Promise<boolean> => {
  try {
    for (const filled of filledSlots(item, organizationId)) {
      await events.record(filled.event, await retentionDays(organizationId));
      await hint(filled.event);
      await clearSlot(table, item, filled);
    }
    return true;
  } catch (error) {
    log.warn('events wait for the sweep', { item: item.sk, error });
    return false;
  }
};

export interface EventRecorder {
  /**
   * Takes the events out of the slots of an item (as the change returned it) into the history and asks for their relay.
   * Never throws: false means that the sweep will do it, so a change that is stored is never reported as failed.
   */
  flush(organizationId: string, item: Item): Promise<boolean>;
  /** Takes the text of a file out of an event of the history; nothing where that is past its retention. May be repeated. */
  forgetText(organizationId: string, eventId: string): Promise<void>;
}

export interface OutboxSweeper {
  /** Flushes the items whose events should have been taken, of every organization in turn; how many were looked at. */
  sweep(until: Date, limit: number): Promise<number>;
}

const recorderNeeds = (table: OutboxTable): CapabilityId[] => [
  `${table}.write`,
  'events.write',
  'relay.send',
  'organizations.read',
];

/** Records events that changes of one table have left in its items. */
export const recordEvents = (table: OutboxTable): Capability<EventRecorder> =>
  capability(recorderNeeds(table), (runtime) => {
    const outbox = openOutbox(runtime, table);
    return {
      flush: (organizationId, item) => flush(outbox, organizationId, item),
      forgetText: (organizationId, eventId) => outbox.events.forgetText(organizationId, eventId),
    };
  });

const abreast = 20;

/** Two flushes of one item that overlapped may each have left the mark to the other. */
const unmark = async (table: Table, { pk, sk }: Item): Promise<void> => {
  await table.update(
    { pk, sk },
    { remove: dueAttributes, condition: { ...noEventWaits, ...dueIn('outbox', organizationOf({ pk, sk })) } },
  );
};

/** Finds and flushes what nobody flushed. */
export const sweepOutbox = (table: OutboxTable): Capability<OutboxSweeper> =>
  capability([`${table}.read`, ...recorderNeeds(table)], (runtime) => {
    const outbox = openOutbox(runtime, table);
    const flushAt = async (key: { readonly pk: string; readonly sk: string }): Promise<void> => {
      const item = await outbox.table.get(key);
      if (item === null) return;
      const [filled] = filledSlots(item);
      if (filled === undefined) await unmark(outbox.table, item);
      else await flush(outbox, filled.event.organizationId, item);
    };
    return {
      sweep: async (until, limit) => {
        const keys = await outbox.table.due('outbox', until.toISOString(), limit);
        for (let from = 0; from < keys.length; from += abreast) {
          await Promise.all(keys.slice(from, from + abreast).map(flushAt));
        }
        return keys.length;
      },
    };
  });

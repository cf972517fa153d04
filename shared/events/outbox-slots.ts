import { laterBy } from '../kernel/clock.ts';
import type { Condition } from '../db/condition.ts';
import { dueAttributes, dueBy, whereDueIn } from '../db/due.ts';
import type { Attributes, Item, Table } from '../db/contracts.ts';
import type { NewEvent } from './build.ts';
import type { EventType } from './event-data.ts';

/** Outbox slots of an item. Each stores one event that is not recorded in the history yet. */
const slots = ['created', 'updated', 'capacity', 'started', 'terminal', 'disabled'] as const;
export type Slot = (typeof slots)[number];

const graceSeconds = 60;

/** Attribute that stores the event of a slot; absent while the slot is free. */
export const slotAttribute = (slot: Slot): string => `outbox_${slot}`;

const slotIdAttribute = (slot: Slot): string => `outbox_${slot}_id`;

/** Attribute with the id of the event that contains the text of a file. It stays until the item is deleted. */
export const textEventAttribute = 'text_event_id';

/**
 * Returns the attributes that store an event in a slot, so that a change and its event are one write. The condition of the
 * change must require a free slot (`slotAttribute(slot)` absent) or allow the change only once. The outbox owns `due_pk`
 * and `due_at` of such items.
 */
export const fillSlot = (slot: Slot, event: NewEvent): Attributes => ({
  [slotAttribute(slot)]: {
    event_id: event.id,
    type: event.type,
    created_at: event.createdAt,
    organization_id: event.organizationId,
    index_id: event.indexId,
    job_id: event.jobId,
    body: event.body,
  },
  [slotIdAttribute(slot)]: event.id,
  ...(event.type === 'file.processing.completed' ? { [textEventAttribute]: event.id } : {}),
  ...dueBy('outbox', event.organizationId, laterBy(event.createdAt, graceSeconds * 1000)),
});

interface StoredSlot {
  readonly event_id: string;
  readonly type: EventType;
  readonly created_at: string;
  readonly organization_id: string;
  readonly index_id: string | null;
  readonly job_id: string | null;
  readonly body: string;
}

/** Event in a slot. */
export interface FilledSlot {
  readonly slot: Slot;
  readonly event: NewEvent;
}

const toEvent = (stored: StoredSlot, organizationId: string): NewEvent => ({
  id: stored.event_id,
  type: stored.type,
  createdAt: stored.created_at,
  organizationId,
  indexId: stored.index_id,
  jobId: stored.job_id,
  body: stored.body,
});

/** Returns the events in the slots of an item. */
export const filledSlots = (item: Item, organizationId?: string): readonly FilledSlot[] =>
  slots.flatMap((slot) => {
    const stored = item[slotAttribute(slot)] as StoredSlot | undefined;
    return stored === undefined ? [] : { slot, event: toEvent(stored, organizationId ?? stored.organization_id) };
  });

const slotsFree = (others: readonly Slot[]): Condition =>
  Object.fromEntries(others.map((slot) => [slotIdAttribute(slot), { exists: false }]));

/** Condition that all slots of an item are free. */
export const noPendingEvent: Condition = slotsFree(slots);

/** Frees a slot that still contains this event. The last slot also removes the item from the due index. */
export const clearSlot = async (table: Table, { pk, sk }: Item, { slot, event }: FilledSlot): Promise<void> => {
  const cleared = [slotAttribute(slot), slotIdAttribute(slot)];
  const holds: Condition = { [slotIdAttribute(slot)]: { eq: event.id } };
  const isLast: Condition = {
    ...slotsFree(slots.filter((other) => other !== slot)),
    ...whereDueIn('outbox', event.organizationId),
  };
  const last = await table.update(
    { pk, sk },
    { remove: [...cleared, ...dueAttributes], condition: { ...holds, ...isLast } },
  );
  if (last === null) await table.update({ pk, sk }, { remove: cleared, condition: holds });
};

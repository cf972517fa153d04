import { laterBy } from '../kernel/clock.ts';
import type { Condition } from '../db/condition.ts';
import { dueAttributes, dueBy, dueIn } from '../db/due.ts';
import type { Attributes, Item, Table } from '../db/contracts.ts';
import type { NewEvent } from './build.ts';
import type { EventType } from './event-data.ts';

/** Places of an item that can each hold one event on its way out. */
const slots = ['created', 'updated', 'started', 'terminal', 'disabled'] as const;
export type Slot = (typeof slots)[number];

const graceSeconds = 60;

/** The attribute that holds the event of a slot: absent while the slot is free. */
export const slotAttribute = (slot: Slot): string => `outbox_${slot}`;

const slotIdAttribute = (slot: Slot): string => `outbox_${slot}_id`;

/** The attribute that names the event which tells the text of a file, for as long as the item is there. */
export const textEventAttribute = 'text_event_id';

/**
 * What the change of an item sets besides its state, so that state and event are one write. The slot must be free
 * (`slotAttribute(slot)` absent) unless the condition of the change lets it happen once. `due_pk` and `due_at` of
 * such items belong to the outbox.
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

/** An event on its way out, and where it lies. */
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

/** The events that an item holds. */
export const filledSlots = (item: Item, organizationId?: string): readonly FilledSlot[] =>
  slots.flatMap((slot) => {
    const stored = item[slotAttribute(slot)] as StoredSlot | undefined;
    return stored === undefined ? [] : { slot, event: toEvent(stored, organizationId ?? stored.organization_id) };
  });

const free = (others: readonly Slot[]): Condition =>
  Object.fromEntries(others.map((slot) => [slotIdAttribute(slot), { exists: false }]));

/** That no event of an item is on its way out. */
export const noEventWaits: Condition = free(slots);

/** Frees a slot that still holds this event, and the item from the sweep once no slot is filled. */
export const clearSlot = async (table: Table, { pk, sk }: Item, { slot, event }: FilledSlot): Promise<void> => {
  const cleared = [slotAttribute(slot), slotIdAttribute(slot)];
  const holds: Condition = { [slotIdAttribute(slot)]: { eq: event.id } };
  const isLast: Condition = {
    ...free(slots.filter((other) => other !== slot)),
    ...dueIn('outbox', event.organizationId),
  };
  const last = await table.update(
    { pk, sk },
    { remove: [...cleared, ...dueAttributes], condition: { ...holds, ...isLast } },
  );
  if (last === null) await table.update({ pk, sk }, { remove: cleared, condition: holds });
};

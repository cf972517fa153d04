import { present } from '../db/condition.ts';
import type { Key, Table } from '../db/contracts.ts';
import { unavailable } from '../kernel/errors.ts';
import type { EventRecorder } from './outbox.ts';
import { noPendingEvent, textEventAttribute } from './outbox-slots.ts';

/**
 * Deletes an item with outbox slots. First its pending events are recorded, which would otherwise be lost with it. Then the
 * text of its file is removed from the history, because a recorded event is never recorded again. Returns false if there
 * is no such item. Throws 503 if its events cannot be recorded now; the caller then repeats the deletion.
 */
export const deleteWithEvents = async (
  table: Table,
  events: EventRecorder,
  organizationId: string,
  key: Key,
): Promise<boolean> => {
  const item = await table.get(key);
  if (item === null) return false;
  if (await events.flush(organizationId, item)) {
    const textEvent = item[textEventAttribute] as string | undefined;
    if (textEvent !== undefined) await events.forgetText(organizationId, textEvent);
    // A job that completed in the meantime has an event with text, which has to be removed too.
    const unchanged = textEvent === undefined ? { exists: false } : { eq: textEvent };
    const condition = { ...present, ...noPendingEvent, [textEventAttribute]: unchanged } as const;
    if (await table.delete(key, condition)) return true;
    if ((await table.get(key)) === null) return false;
  }
  throw unavailable(null, 'An event is still being recorded, try again');
};

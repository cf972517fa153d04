import { present } from '../db/condition.ts';
import type { Key, Table } from '../db/contracts.ts';
import { unavailable } from '../kernel/errors.ts';
import type { EventRecorder } from './outbox.ts';
import { noEventWaits, textEventAttribute } from './slots.ts';

/**
 * Deletes an item that can carry events, after those that still wait in it went into the history, for they would be lost
 * with it, and after the text of its file went out of the history. That comes last: what is recorded once is never
 * recorded anew. False where there is no such item. Throws 503 where its events cannot be recorded now; then it is to be
 * repeated.
 */
export const deleteCarrier = async (
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
    // What came to an end meanwhile may tell a text that was not looked for.
    const unchanged = textEvent === undefined ? { exists: false } : { eq: textEvent };
    const condition = { ...present, ...noEventWaits, [textEventAttribute]: unchanged } as const;
    if (await table.delete(key, condition)) return true;
    if ((await table.get(key)) === null) return false;
  }
  throw unavailable(null, 'An event is still being recorded, try again');
};

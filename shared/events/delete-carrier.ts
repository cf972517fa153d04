import type { Key } from '../db/contracts.ts';
import type { Table } from '../db/table.ts';
import { unavailable } from '../kernel/errors.ts';
import type { EventRecorder } from './outbox.ts';
import { noEventWaits } from './slots.ts';

/**
 * Deletes an item that can carry events, after those that still wait in it went into the history: they would be lost with
 * it. False where there is no such item. Throws 503 where they cannot be recorded now; then it is to be repeated.
 */
export const deleteCarrier = async (
  table: Table,
  events: EventRecorder,
  organizationId: string,
  key: Key,
): Promise<boolean> => {
  const condition = { pk: { exists: true }, ...noEventWaits } as const;
  if (await table.delete(key, condition)) return true;
  const item = await table.get(key);
  if (item === null) return false;
  await events.flush(organizationId, item);
  if (await table.delete(key, condition)) return true;
  throw unavailable(null, 'An event is still being recorded, try again');
};
